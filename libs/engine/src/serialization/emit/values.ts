import { hasPlainPrototype, isFunction, isObject, prototypeOf } from '../../shapes/values';
import type { FullOptions } from '../../shapes/transforms/full-options';
import type { BuiltIn } from '../plan/plan-class';
import type { IsAllowed } from '../plan/strict';
import type { Call } from './call';
import { isoDate } from './text/iso-date';
import { needsReference } from './text/json-text';

/**
 * The form that a value is converted to: `plain` like `instanceToPlain`, or `json` for JSON.stringify, which is plain with dates
 * as text. The JSON text of both is the same.
 */
export type Form = 'plain' | 'json';

/** Writes the values of a class. */
export interface ClassWriter extends Readonly<Record<Form, (value: object) => unknown>> {
  readonly type: Function;
  /** @param value an object, not a list, that class-transformer would treat as an instance of this class */
  text(value: object): string;
  /** Returns the text of a list that is declared with this class. */
  list(values: readonly unknown[]): string;
  /** Returns a list's text. The elements are written by their own classes, and most have this class. */
  many(values: readonly unknown[]): string;
  /** Returns the JSON.stringify argument for a list that is declared with this class. */
  listJson(values: readonly unknown[]): unknown;
}

/** Converts any value by its type at run time; `writer` is the writer of the declared class. */
export interface Values extends Readonly<Record<Form, (value: unknown, writer?: ClassWriter) => unknown>> {
  /** Converts a list element. */
  readonly itemJson: (value: unknown, writer?: ClassWriter) => unknown;
  /** Converts a whole list, or its elements from index `from` up to, but not including, `to`. */
  readonly listJson: (
    values: readonly unknown[],
    writer?: ClassWriter,
    from?: number,
    to?: number,
  ) => unknown;
  /** Converts a value like `@Type(() => Date)` and similar declarations. */
  readonly builtInJson: (value: unknown, type: BuiltIn) => unknown;
  /** Converts a value below a property or in a list like class-transformer, with its declared type. */
  readonly reference: (value: unknown, type?: Function, isMap?: boolean) => unknown;
  /** Returns the value of a property that is a function. */
  readonly called: (value: object, key: string) => unknown;
}

/** An object with names that are only known at run time. */
type UnknownRecord = Readonly<Record<string, unknown>>;

/** The context that the conversion of values needs. */
export interface ConversionContext {
  readonly options: FullOptions;
  readonly call: Call;
  /** Returns the writer of a class that is only known at run time. */
  readonly writerOf: (type: Function) => ClassWriter;
}

export function makeValues(context: ConversionContext): Values {
  const { call } = context;
  const reference = referenceOf(call);
  const { value: plain } = makerOf(context, reference, 'plain');
  const { value: json, list: listJson } = makerOf(context, reference, 'json');

  function builtInJson(value: unknown, type: BuiltIn): unknown {
    if (value === null || value === undefined) return value;
    if (typeof value === 'object' && !(value instanceof Date && type === Date)) return reference(value, type);
    if (value instanceof Date) return isoDate(value.valueOf());
    return type === Date ? isoDate(new Date(value as string).valueOf()) : type(value);
  }

  return { plain, json, itemJson: json, listJson, builtInJson, reference, called };
}

function referenceOf(call: Call): Values['reference'] {
  return (value, type, isMap = value instanceof Map) => {
    const plain = call.reference().transform(undefined, value, type, undefined, isMap);
    call.assertSameOptions();
    return plain;
  };
}

/** Returns conversions that check values without a declared class. */
export function strictValues(values: Values, isAllowed: IsAllowed): Values {
  function strict<Value>(value: Value): Value {
    if (!isAllowed(value)) throw needsReference;
    return value;
  }
  return {
    ...values,
    json: (value, writer) => values.json(writer ? value : strict(value), writer),
    plain: (value, writer) => values.plain(writer ? value : strict(value), writer),
    reference: (value, type, isMap) => values.reference(type ? value : strict(value), type, isMap),
    listJson: (list, writer, from, to) => values.listJson(writer ? list : strict(list), writer, from, to),
  };
}

/** Creates the function that converts any value to a form. */
function makerOf({ options, writerOf }: ConversionContext, reference: Values['reference'], form: Form) {
  const keysOf = keysUnder(options);
  const keepsUnset = Boolean(options.exposeUnsetFields);
  const isJson = form === 'json';

  function value(input: unknown, writer?: ClassWriter): unknown {
    if (!isObject(input)) return input;
    if (Array.isArray(input)) return isJson && writer ? writer.listJson(input) : list(input, writer);
    if (input instanceof Date) return isJson ? isoDate(input.valueOf()) : new Date(input.valueOf());
    if (writer) return writer[form](input);
    const type: unknown = input.constructor;
    if (type === Object || type === undefined) return record(input);
    return isFunction(type) ? writerOf(type)[form](input) : reference(input);
  }

  function list(items: readonly unknown[], writer?: ClassWriter, from = 0, to = items.length): unknown {
    if (prototypeOf(items) !== Array.prototype) return reference(items, writer?.type);
    const results: unknown[] = [];
    for (let at = from; at < to; at++) {
      const item = items[at];
      if (item !== undefined || at in items) results.push(value(item, writer));
    }
    return results;
  }

  function record(source: object): unknown {
    if (!isPlainRecord(source)) return reference(source);
    const copy: Record<string, unknown> = {};
    for (const key of keysOf(source)) {
      if (key === '__proto__' || key === 'constructor') continue;
      const part = source[key];
      const converted = value(isFunction(part) ? called(source, key) : part);
      if (converted !== undefined || keepsUnset) copy[key] = converted;
    }
    return copy;
  }

  return { value, list };
}

/** Returns a function that lists the plain-object keys to write. */
function keysUnder({ strategy, excludePrefixes }: FullOptions): (value: object) => string[] {
  if (strategy === 'excludeAll') return () => [];
  if (!excludePrefixes?.length) return Object.keys;
  const isKept = (key: string) => !excludePrefixes.some((prefix) => key.startsWith(prefix));
  return (value) => Object.keys(value).filter(isKept);
}

function called(value: object, key: string): unknown {
  const member = (value as UnknownRecord)[key];
  return member instanceof Function ? (value as Record<string, () => unknown>)[key]() : member;
}

/** Whether a value is a plain object without `toJSON`. Values that class-transformer treats as promises are excluded. */
function isPlainRecord(value: object): value is UnknownRecord {
  if (!hasPlainPrototype(value)) return false;
  const record = value as UnknownRecord;
  return record.toJSON === undefined && !isFunction(record.then);
}
