import { isFunction } from '../../shapes/values';
import { TransformationType } from 'class-transformer';
import { type Field, isBuiltIn, type Part } from '../plan/plan-class';
import type { Call } from './call';
import { dateText } from './text/iso-date';
import { SelectedPart } from './selected-part';
import { jsonText, needsReference } from './text/json-text';
import type { ClassWriter, Form, Values } from './values';

/** The declared type of a field: a class writer, a type without fields, or `undefined`. */
export type DeclaredPart = ClassWriter | SelectedPart | Function | undefined;

/** The declared type of a field, for {@link SlowFields}. */
export function declaredPart(
  part: Part,
  { writerOf }: { writerOf(type: Function): ClassWriter },
): DeclaredPart {
  if (part.kind === 'any') return undefined;
  if (part.kind === 'selected') return new SelectedPart(part.discriminator);
  return part.kind === 'class' ? writerOf(part.type) : part.type;
}

/** Converts fields with any value. All programs share it; their generated code handles the usual values itself. */
export interface SlowFields extends Readonly<Record<Form, SlowField>> {
  readonly text: SlowText;
}

/** Writes the text of a field with its label; the empty string if JSON has no text for its value. */
export interface SlowText {
  readonly held: (label: string, value: object, content: unknown, key: string, part: DeclaredPart) => string;
  readonly last: (label: string, last: unknown, first: unknown, part: DeclaredPart) => string;
  readonly member: (label: string, value: object, field: Field, part: DeclaredPart) => string;
}

/** Converts a field to a form. */
export interface SlowField {
  /** Converts a field with a plain value. */
  readonly held: (value: object, content: unknown, key: string, part: DeclaredPart) => unknown;
  /** Converts a field by its values after and before its transforms. */
  readonly last: (last: unknown, first: unknown, part: DeclaredPart) => unknown;
  /** Converts a getter or method of the class. */
  readonly member: (value: object, field: Field, part: DeclaredPart) => unknown;
}

export function makeSlowFields(values: Values, call: Call): SlowFields {
  const json = slowField(values, call, jsonPart);
  return { plain: slowField(values, call, plainPart), json, text: slowText(json) };
}

function slowText(json: SlowField): SlowText {
  return {
    held: (label, value, content, key, part) =>
      simpleText(label, content, part) ?? labelled(label, json.held(value, content, key, part)),
    last: (label, last, first, part) =>
      (first instanceof Map ? undefined : simpleText(label, last, part)) ??
      labelled(label, json.last(last, first, part)),
    member: (label, value, field, part) => labelled(label, json.member(value, field, part)),
  };
}

/**
 * Writes the values that need no conversion. This code is a function instead of inline so that V8 can inline the code for small
 * classes.
 */
function simpleText(label: string, content: unknown, part: DeclaredPart): string | undefined {
  if (isFunction(part) || part instanceof SelectedPart) return undefined;
  if (content === null || typeof content === 'boolean') return label + content;
  return content instanceof Date ? label + dateText(content.valueOf()) : undefined;
}

function labelled(label: string, json: unknown): string {
  const text = jsonText(json);
  return text === undefined ? '' : label + text;
}

type MakePart = (values: Values, content: unknown, part: DeclaredPart) => unknown;

function slowField(values: Values, call: Call, make: MakePart): SlowField {
  function last(after: unknown, first: unknown, part: DeclaredPart): unknown {
    if (!(first instanceof Map || after instanceof Map)) return make(values, after, part);
    // class-transformer tests for a Map before the transforms.
    return values.reference(after, typeOf(part), first instanceof Map);
  }
  return {
    last,
    held: (value, content, key, part) => {
      if (!isFunction(content)) return make(values, content, part);
      if (part instanceof SelectedPart) throw needsReference;
      return make(values, values.called(value, key), part);
    },
    member(value, field, part) {
      const read = readMember(value, field, call);
      return last(read.last, read.first, part);
    },
  };
}

/** Returns the declared class. A field with a selected part has no transforms. */
function typeOf(part: DeclaredPart): Function | undefined {
  return typeof part === 'object' && 'type' in part ? part.type : (part as Function | undefined);
}

function plainPart(values: Values, content: unknown, part: DeclaredPart): unknown {
  if (part instanceof SelectedPart) return part.convert(values, 'plain', content);
  return isFunction(part) ? values.reference(content, part) : values.plain(content, part);
}

function jsonPart(values: Values, content: unknown, part: DeclaredPart): unknown {
  if (part instanceof SelectedPart) return part.convert(values, 'json', content);
  if (!isFunction(part)) return values.json(content, part);
  return isBuiltIn(part) ? values.builtInJson(content, part) : values.reference(content, part);
}

/** Reads a property as often and in the order as class-transformer, since a getter may have side effects. */
function readMember(obj: object, { property, transforms }: Field, call: Call) {
  const record = obj as Record<string, unknown>;
  const isCalled = record[property] instanceof Function;
  const first: unknown = isCalled ? (record as Record<string, () => unknown>)[property]() : record[property];
  void record[property];
  let last = record[property];
  for (const { declared, call: transform } of transforms) {
    const parameters = {
      value: last,
      key: property,
      obj,
      type: TransformationType.CLASS_TO_PLAIN,
      options: call.options(),
    };
    last = transform.call(declared, parameters);
    call.assertSameOptions();
  }
  return { first, last: record[property] === last ? first : last };
}
