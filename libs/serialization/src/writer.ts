import { type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { answerWriter } from './compiled/answer-writer';
import { carriesRules, type WireClass } from './declared-rules';
import { refuseOpenClasses } from './refuse-open-classes';

/** Turns what a handler returned into the JSON that is sent. */
export type Writer = (returned: unknown) => string;

/**
 * The writer of a route that declares its class: whatever was returned leaves as that class and in no other way.
 *
 * @param options class-transformer's own: groups, version and the rest
 * @throws OpenWireClassError for a class that would send more than it says
 */
export function writerOf(type: WireClass, options: ClassTransformOptions): Writer {
  refuseOpenClasses(type);
  return answerWriter(type, options, { reading: 'row' }).write;
}

/**
 * The writer of a route that declares nothing: an instance whose class carries rules obeys them, a plain object is
 * sent as it is, arrays go element by element. Instances inside a plain object obey their rules too, as they do in
 * class-transformer itself.
 *
 * @throws OpenWireClassError when an instance's class would send more than it says
 */
export const writeUndeclared: Writer = (returned) => JSON.stringify(filtered(returned));

function filtered(value: unknown): unknown {
  if (!isObject(value) || typeof Reflect.get(value, 'toJSON') === 'function') return value;
  if (Array.isArray(value)) return value.map(filtered);
  if (carriesRulesCached(value.constructor)) return instanceToPlain(value);
  return withFilteredParts(value);
}

function withFilteredParts(value: object): unknown {
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, filtered(part)]);
  const isUnchanged = entries.every(([key, part]) => part === Reflect.get(value, key));
  return isUnchanged ? value : Object.fromEntries(entries);
}

const ruled = new WeakMap<Function, boolean>();

/** Asked of every object that is sent; a class is complete before its first instance is, so the answer holds. */
function carriesRulesCached(type: unknown): boolean {
  if (typeof type !== 'function' || type === Object) return false;
  const known = ruled.get(type);
  if (known !== undefined) return known;
  refuseOpenClasses(type);
  const found = carriesRules(type);
  ruled.set(type, found);
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
