import { TransformationType } from 'class-transformer';
import type { FullOptions } from './options';
import type { Path } from './path';
import type { Field } from './plan';
import type { ClassWriter, Form, Values } from './values';

/** What the writers of a class need beside the class. */
export interface EmitContext {
  readonly options: FullOptions;
  readonly values: Values;
  readonly path: Path | undefined;
  writerOf(type: Function): ClassWriter;
}

/** The fields of the values of a class that have the same keys in the same order. */
export interface Layout {
  /** `undefined` where the keys of the value do not matter. */
  readonly keys: readonly string[] | undefined;
  readonly fields: readonly Field[];
}

/** How to write the values of one layout, once it is certain that a value has it. */
export type LayoutWriter = Pick<ClassWriter, 'text' | Form>;

/** Writes a layout with functions that call each other: no code is made from text. */
export function interpretLayout({ fields }: Layout, context: EmitContext): LayoutWriter {
  const steps = fields.map((field) => stepOf(field, context));
  const keepsUnset = Boolean(context.options.exposeUnsetFields);
  const { path } = context;
  const maker = (form: Form) => (value: object) => {
    path?.enter(value);
    const made: Record<string, unknown> = {};
    for (const step of steps) {
      const part = step[form](value);
      if (part !== undefined || keepsUnset) made[step.name] = part;
    }
    path?.leave(value);
    return made;
  };
  const json = maker('json');
  return { plain: maker('plain'), json, text: (value) => JSON.stringify(json(value)) };
}

/** One field of a value, from reading it to what is made of it. */
interface Step extends Readonly<Record<Form, (value: object) => unknown>> {
  readonly name: string;
}

export function stepOf(field: Field, context: EmitContext): Step {
  const part = partMaker(field, context);
  const { name } = field;
  if (!field.isMember && field.transforms.length === 0) return { name, ...simpleStep(field, context, part) };
  const read = reader(field, context);
  const step = (form: Form) => (value: object) => {
    const { last, first } = read(value);
    return isMapped(first, last) ? part.ofMap(last, first) : part[form](last);
  };
  return { name, plain: step('plain'), json: step('json') };
}

/** A property that is no more than its value is read once. */
function simpleStep({ property }: Field, { values, path }: EmitContext, part: PartMaker): Omit<Step, 'name'> {
  const read = (value: object): unknown => {
    const held = (value as Record<string, unknown>)[property];
    const found = typeof held === 'function' ? values.called(value, property) : held;
    path?.assertNotOpen(found);
    return found;
  };
  return { plain: (value) => part.plain(read(value)), json: (value) => part.json(read(value)) };
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
function reader({ property, transforms }: Field, { options, path }: EmitContext): (value: object) => Held {
  const type = TransformationType.CLASS_TO_PLAIN;
  return (obj) => {
    const bag = obj as Record<string, unknown>;
    const isCalled = bag[property] instanceof Function;
    const first: unknown = isCalled ? (bag as Record<string, () => unknown>)[property]() : bag[property];
    path?.assertNotOpen(first);
    void bag[property];
    let last = bag[property];
    for (const transform of transforms) last = transform({ value: last, key: property, obj, type, options });
    return { first, last: bag[property] === last ? first : last };
  };
}

/** Makes something of what stands in a field by what is declared of it. */
export interface PartMaker extends Readonly<Record<Form, (value: unknown) => unknown>> {
  /** Where {@link isMapped} says so: neither form is told from the other. */
  readonly ofMap: (last: unknown, first: unknown) => unknown;
}

export function partMaker({ part }: Field, { values, writerOf }: EmitContext): PartMaker {
  const type = part.kind === 'any' ? undefined : part.type;
  const writer = part.kind === 'class' ? writerOf(part.type) : undefined;
  const ofMap = (last: unknown, first: unknown) => values.reference(last, type, first instanceof Map);
  if (part.kind === 'any' || part.kind === 'class') {
    return {
      ofMap,
      plain: (value) => values.plain(value, writer),
      json: (value) => values.json(value, writer),
    };
  }
  const plain = (value: unknown) => values.reference(value, type);
  return part.kind === 'builtIn'
    ? { ofMap, plain, json: (value) => values.builtInJson(value, part.type) }
    : { ofMap, plain, json: plain };
}
