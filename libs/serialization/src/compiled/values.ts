import type { BuiltIn } from './plan';
import type { FullOptions } from './options';
import type { Reference } from './reference';
import { isoDate } from './text/iso-date';
import { quote } from './text/quote';

/** Writes the values of one class. */
export interface ClassWriter {
  readonly type: Function;
  /** @param value an object, no list, that class-transformer would take for one of this class */
  text(value: object): string;
  plain(value: object): unknown;
  /** A list in a place where this class is declared. */
  list(values: readonly unknown[]): string;
  /** A list of which each element is written by its own class, most of them this one. */
  many(values: readonly unknown[]): string;
}

/** Writes any value by what it turns out to be; `type` is the class that is declared where it stands. */
export interface Values {
  /** @returns `undefined` for what JSON has no text for */
  readonly text: (value: unknown, writer?: ClassWriter) => string | undefined;
  /** One of a list. */
  readonly item: (value: unknown, writer?: ClassWriter) => string;
  readonly plain: (value: unknown, writer?: ClassWriter) => unknown;
  readonly listText: (values: readonly unknown[], writer?: ClassWriter) => string;
  readonly listPlain: (values: readonly unknown[], writer?: ClassWriter) => unknown;
  /** As `@Type(() => Date)` and its like convert. */
  readonly builtInText: (value: unknown, type: BuiltIn) => string | undefined;
  /** As class-transformer leaves it, written by JSON.stringify. */
  readonly referenceText: (value: unknown, type?: Function, isMap?: boolean) => string | undefined;
  readonly referencePlain: (value: unknown, type?: Function, isMap?: boolean) => unknown;
  /** The value of a property that holds a function. */
  readonly called: (value: object, key: string) => unknown;
}

/** Thrown where text depends on where it stands; the whole value is then written by class-transformer. */
export const needsReference = new Error('this text is left to class-transformer');

/** A record is read by names that were not known before. */
type Bag = Readonly<Record<string, unknown>>;

/** @param writerOf the writer of a class that turns up at run time */
export function makeValues(
  options: FullOptions,
  reference: Reference,
  writerOf: (type: Function) => ClassWriter,
): Values {
  const hidesPlain = options.strategy === 'excludeAll';
  const keepsUnset = Boolean(options.exposeUnsetFields);

  function text(value: unknown, writer?: ClassWriter): string | undefined {
    if (typeof value === 'string') return quote(value);
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    if (typeof value === 'object') return value === null ? 'null' : objectText(value, writer);
    if (typeof value === 'function' || typeof value === 'bigint') throw needsReference;
    return undefined;
  }

  function objectText(value: object, writer: ClassWriter | undefined): string | undefined {
    if (Array.isArray(value)) return writer ? writer.list(value) : listText(value);
    if (value instanceof Date) return isoDate(value.valueOf());
    if (writer) return writer.text(value);
    const type: unknown = value.constructor;
    if (type === Object || type === undefined) return bagText(value);
    return typeof type === 'function' ? writerOf(type).text(value) : referenceText(value);
  }

  function listText(values: readonly unknown[], writer?: ClassWriter): string {
    if (Object.getPrototypeOf(values) !== Array.prototype) return listReference(values, writer);
    const { length } = values;
    let written = '';
    for (let at = 0; at < length; at++) {
      const value = values[at];
      if (value === undefined && !(at in values)) continue;
      written += (written === '' ? '[' : ',') + item(value, writer);
    }
    return written === '' ? '[]' : `${written}]`;
  }

  function item(value: unknown, writer?: ClassWriter): string {
    return text(value, writer) ?? 'null';
  }

  function listReference(values: readonly unknown[], writer?: ClassWriter): string {
    return referenceText(values, writer?.type) ?? 'null';
  }

  function bagText(value: object): string | undefined {
    if (!isBag(value)) return referenceText(value);
    let written = '';
    for (const key of hidesPlain ? [] : Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor') continue;
      const part = value[key];
      const found = text(typeof part === 'function' ? called(value, key) : part);
      if (found !== undefined) written += `${written === '' ? '{' : ','}${quote(key)}:${found}`;
    }
    return written === '' ? '{}' : `${written}}`;
  }

  function referenceText(value: unknown, type?: Function, isMap?: boolean): string | undefined {
    const part = reference.part(value, type, isMap);
    if (hasOwnWay(part)) throw needsReference;
    return JSON.stringify(part);
  }

  function builtInText(value: unknown, type: BuiltIn): string | undefined {
    if (value === null || value === undefined) return text(value);
    if (typeof value === 'object' && !(value instanceof Date && type === Date))
      return referenceText(value, type);
    if (value instanceof Date) return isoDate(value.valueOf());
    if (type === Date) return isoDate(new Date(value as string).valueOf());
    return text(type(value));
  }

  function plain(value: unknown, writer?: ClassWriter): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return listPlain(value, writer);
    if (value instanceof Date) return new Date(value.valueOf());
    if (writer) return writer.plain(value);
    const type: unknown = value.constructor;
    if (type === Object || type === undefined) return bagPlain(value);
    return typeof type === 'function' ? writerOf(type).plain(value) : reference.part(value);
  }

  function listPlain(values: readonly unknown[], writer?: ClassWriter): unknown {
    if (Object.getPrototypeOf(values) !== Array.prototype) return reference.part(values, writer?.type);
    const made: unknown[] = [];
    const { length } = values;
    for (let at = 0; at < length; at++) {
      const value = values[at];
      if (value !== undefined || at in values) made.push(plain(value, writer));
    }
    return made;
  }

  function bagPlain(value: object): unknown {
    if (!isBag(value)) return reference.part(value);
    const made: Record<string, unknown> = {};
    for (const key of hidesPlain ? [] : Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor') continue;
      const part = value[key];
      const found = plain(typeof part === 'function' ? called(value, key) : part);
      if (found !== undefined || keepsUnset) made[key] = found;
    }
    return made;
  }

  const referencePlain = reference.part;
  return { text, item, plain, listText, listPlain, builtInText, referenceText, referencePlain, called };
}

function called(value: object, key: string): unknown {
  const held = (value as Bag)[key];
  return held instanceof Function ? (value as Record<string, () => unknown>)[key]() : held;
}

/** A plain object that neither says how it is written nor is a promise to class-transformer. */
function isBag(value: object): value is Bag {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  const bag = value as Bag;
  return bag.toJSON === undefined && typeof bag.then !== 'function';
}

/** Dates and buffers do not care where they stand. */
function hasOwnWay(plain: unknown): boolean {
  if (typeof plain === 'bigint' || typeof plain === 'function') return true;
  if (typeof plain !== 'object' || plain === null) return false;
  return typeof (plain as Bag).toJSON === 'function' && !(plain instanceof Date) && !Buffer.isBuffer(plain);
}
