import { TransformationType } from 'class-transformer';
import type { FullOptions } from './options';
import type { Field } from './plan';
import type { ClassWriter, Values } from './values';

/** What the writers of a class need beside the class. */
export interface Workshop {
  readonly options: FullOptions;
  readonly values: Values;
  writerOf(type: Function): ClassWriter;
}

/** The fields of the values of a class that have the same keys in the same order. */
export interface Layout {
  /** `undefined` where the keys of the value do not matter. */
  readonly keys: readonly string[] | undefined;
  readonly fields: readonly Field[];
}

/** How to write the values of one layout, once it is certain that a value has it. */
export interface LayoutWriter {
  text(value: object): string;
  plain(value: object): unknown;
}

/** Writes a layout with functions that call each other: no code is made from text. */
export function interpretLayout({ fields }: Layout, workshop: Workshop): LayoutWriter {
  const steps = fields.map((field) => stepOf(field, workshop));
  const keepsUnset = Boolean(workshop.options.exposeUnsetFields);
  return {
    text(value) {
      let written = '';
      for (const { label, text } of steps) {
        const part = text(value);
        if (part !== undefined) written += (written === '' ? '{' : ',') + label + part;
      }
      return written === '' ? '{}' : `${written}}`;
    },
    plain(value) {
      const made: Record<string, unknown> = {};
      for (const { name, plain } of steps) {
        const part = plain(value);
        if (part !== undefined || keepsUnset) made[name] = part;
      }
      return made;
    },
  };
}

/** One field of a value, from reading it to its text. */
export interface Step {
  readonly name: string;
  /** The name as it stands before the text: `"id":`. */
  readonly label: string;
  readonly text: (value: object) => string | undefined;
  readonly plain: (value: object) => unknown;
}

export function stepOf(field: Field, workshop: Workshop): Step {
  const part = partWriter(field, workshop);
  const names = { name: field.name, label: `${JSON.stringify(field.name)}:` };
  if (!field.isMember && field.transforms.length === 0)
    return { ...names, ...plainStep(field, workshop, part) };
  const read = reader(field, workshop.options);
  return {
    ...names,
    text(value) {
      const { last, first } = read(value);
      return isMapped(first, last) ? part.mapText(last, first) : part.text(last);
    },
    plain(value) {
      const { last, first } = read(value);
      return isMapped(first, last) ? part.mapPlain(last, first) : part.plain(last);
    },
  };
}

/** A property that is no more than its value is read once. */
function plainStep(
  { property }: Field,
  { values }: Workshop,
  part: PartWriter,
): Pick<Step, 'text' | 'plain'> {
  const read = (value: object): unknown => {
    const held = (value as Record<string, unknown>)[property];
    return typeof held === 'function' ? values.called(value, property) : held;
  };
  return { text: (value) => part.text(read(value)), plain: (value) => part.plain(read(value)) };
}

/** Whether class-transformer's question "is it a Map?", asked before the transforms, matters after them. */
export function isMapped(first: unknown, last: unknown): boolean {
  return first instanceof Map || last instanceof Map;
}

/** What a field holds before its transforms and after them. */
interface Held {
  readonly first: unknown;
  readonly last: unknown;
}

/** Reads a property as often, and in the order, as class-transformer does: a getter might count. */
function reader({ property, transforms }: Field, options: FullOptions): (value: object) => Held {
  const type = TransformationType.CLASS_TO_PLAIN;
  return (obj) => {
    const bag = obj as Record<string, unknown>;
    const isCalled = bag[property] instanceof Function;
    const first: unknown = isCalled ? (bag as Record<string, () => unknown>)[property]() : bag[property];
    void bag[property];
    let last = bag[property];
    for (const transform of transforms) last = transform({ value: last, key: property, obj, type, options });
    return { first, last: bag[property] === last ? first : last };
  };
}

/** Writes what stands in a field by what is declared of it. */
export interface PartWriter {
  readonly text: (value: unknown) => string | undefined;
  readonly plain: (value: unknown) => unknown;
  readonly mapText: (last: unknown, first: unknown) => string | undefined;
  readonly mapPlain: (last: unknown, first: unknown) => unknown;
}

export function partWriter({ part }: Field, { values, writerOf }: Workshop): PartWriter {
  const type = part.kind === 'any' ? undefined : part.type;
  const writer = part.kind === 'class' ? writerOf(part.type) : undefined;
  const maps: Omit<PartWriter, 'text' | 'plain'> = {
    mapText: (last, first) => values.referenceText(last, type, first instanceof Map),
    mapPlain: (last, first) => values.referencePlain(last, type, first instanceof Map),
  };
  if (part.kind === 'any' || part.kind === 'class') {
    return {
      ...maps,
      text: (value) => values.text(value, writer),
      plain: (value) => values.plain(value, writer),
    };
  }
  const plain = (value: unknown) => values.referencePlain(value, type);
  return part.kind === 'builtIn'
    ? { ...maps, plain, text: (value) => values.builtInText(value, part.type) }
    : { ...maps, plain, text: (value) => values.referenceText(value, type) };
}
