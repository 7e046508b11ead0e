import type { ClassTransformOptions } from 'class-transformer';
import { type AnswerWriter, answerWriter } from './answer-writer';
import { compileSerializer } from './compile-serializer';
import { carriesRules, type WireClass } from './declared-rules';
import { refuseOpenClass } from './wire-classes';

/** Turns what a handler returned into the JSON that is sent. */
export type Writer = (returned: unknown) => string;

/** How a writer treats what classes leave open. */
export interface WriterTerms {
  /** A class inherits the class-level `@Exclude()` of the one it extends. */
  readonly isHardened?: boolean;
  /** An object in a property that names no class is refused, unless its own class is closed. */
  readonly isSealed?: boolean;
}

/**
 * The writer of a route that declares its class: whatever was returned leaves as that class and in no other way.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @throws UndeclaredPartError when it writes, where `isSealed` asks for it
 */
export function writerOf(
  type: WireClass,
  options: ClassTransformOptions,
  { isHardened = false, isSealed = false }: WriterTerms = {},
): AnswerWriter {
  return answerWriter(type, options, { hardened: isHardened, strict: isSealed });
}

/**
 * The writer of a route that declares no class: an instance whose class carries rules obeys them, a plain object is
 * sent as it is, lists go element by element. Instances inside a plain object obey their rules too.
 *
 * @param options of `@SerializeOptions`. Where they are given, everything is written as class-transformer does it,
 *   plain objects too, as Nest's own interceptor would
 */
export function undeclaredWriter(
  options?: ClassTransformOptions,
  { isHardened = false }: WriterTerms = {},
): Writer {
  const { write, toPlain } = compileSerializer(Object, options, { hardened: isHardened });
  const isRuled = ruledClasses(isHardened);

  function filtered(value: unknown): unknown {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map(filtered);
    if (isRuled(value.constructor)) return toPlain(value);
    return typeof Reflect.get(value, 'toJSON') === 'function' ? value : withFilteredParts(value);
  }

  function withFilteredParts(value: object): unknown {
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, filtered(part)]);
    const isUnchanged = entries.every(([key, part]) => part === Reflect.get(value, key));
    return isUnchanged ? value : Object.fromEntries(entries);
  }

  return (returned) => {
    const isWhole = options !== undefined || (isObject(returned) && isRuled(returned.constructor));
    return isWhole ? write(returned) : JSON.stringify(filtered(returned));
  };
}

/** The writer of a route that says it sends no object, and is held to it. */
export function onlyText(refusal: () => Error): Writer {
  return (returned) => {
    if (isObject(returned)) throw refusal();
    return JSON.stringify(returned);
  };
}

/** Asked of every object that is sent; a class is complete before its first instance is, so the answer holds. */
function ruledClasses(isHardened: boolean): (type: unknown) => boolean {
  const known = new WeakMap<Function, boolean>();
  return (type) => {
    if (typeof type !== 'function' || type === Object) return false;
    const found = known.get(type);
    if (found !== undefined) return found;
    if (!isHardened) refuseOpenClass(type);
    const isRuled = carriesRules(type);
    known.set(type, isRuled);
    return isRuled;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
