import type { Settings } from '../settings';
import type { Convert } from '../transform/compile-transform';
import { eachIs } from './each';
import { layUnsent } from './exposed';
import { type ClassPlan, type Content, isLeftOut, type PlannedRule, type PropertyPlan } from './plan';

/** Makes a checked instance of a plain object, or gives up with `undefined` at the first sign of anything else. */
export type Reader = (value: object) => object | undefined;

type Test = (value: unknown) => boolean;

/** Makes the value of a property, or gives up with {@link NOTHING}: `undefined` is a value. */
type Make = (held: unknown) => unknown;

const NOTHING = Symbol('nothing');

interface Step {
  readonly make: Make;
  readonly holds: Test;
  readonly bit: number;
}

/**
 * The one pass of a class as closures, for where no code may be written. The same plan, the same answers; a key
 * without a rule is always a reason to give up.
 */
export function closureReader(plan: ClassPlan, settings: Settings, convert: Convert): Reader {
  const known = new Map<ClassPlan, Reader>();
  const readerOf = (part: ClassPlan): Reader => {
    const made = known.get(part);
    if (made) return made;
    let reader: Reader | undefined;
    known.set(part, (value) => reader?.(value));
    reader = readClass(part, settings, convert, readerOf);
    return reader;
  };
  return readerOf(plan);
}

function readClass(
  { type: Type, properties, exposed }: ClassPlan,
  settings: Settings,
  convert: Convert,
  readerOf: (part: ClassPlan) => Reader,
): Reader {
  const steps = new Map<string, Step>();
  let required = 0;
  properties.forEach((property, at) => {
    const make = makerOf(property.content, convert, readerOf);
    steps.set(property.name, { make, holds: testsOf(property, settings), bit: 1 << at });
    if (!property.mayBeAbsent) required |= 1 << at;
  });
  return (value) => {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return undefined;
    const made = new Type() as Record<string, unknown>;
    let seen = 0;
    for (const key in value) {
      const step = steps.get(key);
      if (step === undefined) return undefined;
      const final = step.make((value as Record<string, unknown>)[key]);
      if (final === NOTHING || !step.holds(final)) return undefined;
      made[key] = final;
      seen |= step.bit;
    }
    if ((seen & required) !== required) return undefined;
    layUnsent(made, value, exposed);
    return made;
  };
}

function makerOf(content: Content, convert: Convert, readerOf: (part: ClassPlan) => Reader): Make {
  if (content.kind === 'plain')
    return (held) => (typeof held === 'object' && held !== null ? convert(held, content.type) : held);
  if (content.kind === 'read') return content.read;
  const { typeFunction } = content;
  const type = content.kind === 'part' ? content.part.type : content.type;
  const make = content.kind === 'part' ? partMaker(content, readerOf) : converter(content, convert);
  return (held) => (typeFunction && typeFunction() !== type ? NOTHING : make(held));
}

function converter(content: Extract<Content, { kind: 'converted' }>, convert: Convert): Make {
  const { type, arrayType } = content;
  return (held) => convert(held, type, Array.isArray(held) ? arrayType : undefined);
}

function partMaker(content: Extract<Content, { kind: 'part' }>, readerOf: (part: ClassPlan) => Reader): Make {
  const { takesList } = content;
  const read = readerOf(content.part);
  return (held) => {
    if (held === undefined || held === null) return held;
    if (typeof held !== 'object') return NOTHING;
    if (!Array.isArray(held)) return read(held) ?? NOTHING;
    return takesList ? readList(held, read) : NOTHING;
  };
}

function readList(list: readonly unknown[], read: Reader): unknown {
  const made: object[] = [];
  for (const element of list) {
    const one = typeof element === 'object' && element !== null ? read(element) : undefined;
    if (one === undefined) return NOTHING;
    made.push(one);
  }
  return made;
}

function testsOf(property: PropertyPlan, settings: Settings): Test {
  const { defined, leaves, content } = property;
  const always = defined.map(testOf);
  const later = [...leaves.map(testOf), ...(content.kind === 'part' ? [isNotNull] : [])];
  const { skipUndefined, skipNull, skipMissing } = settings;
  const isSkipped: Test = (value) =>
    (value === undefined && (skipUndefined || skipMissing)) || (value === null && (skipNull || skipMissing));
  return (value) => {
    if (isLeftOut(property, value)) return true;
    if (!allHold(always, value)) return false;
    return isSkipped(value) || allHold(later, value);
  };
}

function testOf({ test, isEach }: PlannedRule): Test {
  return isEach ? (value) => eachIs(value, test) : test;
}

function isNotNull(value: unknown): boolean {
  return value !== null;
}

function allHold(tests: readonly Test[], value: unknown): boolean {
  for (const test of tests) if (!test(value)) return false;
  return true;
}
