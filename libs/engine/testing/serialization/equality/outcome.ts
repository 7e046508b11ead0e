import { isDate } from 'node:util/types';

/** A call's outcome: its return value, or the error that it threw. */
export type Outcome = { readonly answer: unknown } | { readonly thrown: string };

export function outcomeOf(call: () => unknown): Outcome {
  try {
    return { answer: call() };
  } catch (error) {
    return { thrown: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Whether two outcomes are equal for a caller, including the order of keys, absent versus undefined, and prototypes. */
export function isSameOutcome(one: Outcome, other: Outcome): boolean {
  if ('thrown' in one || 'thrown' in other) {
    return 'thrown' in one && 'thrown' in other && one.thrown === other.thrown;
  }
  return isSame(one.answer, other.answer);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'function' && typeof other === 'function') return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (!isSamePrototype(one, other)) return false;
  if (isDate(one) && isDate(other)) return Object.is(one.valueOf(), other.valueOf());
  const keys = Reflect.ownKeys(one);
  const others = Reflect.ownKeys(other);
  if (keys.length !== others.length) return false;
  return keys.every(
    (key, at) => key === others[at] && isSame(Reflect.get(one, key), Reflect.get(other, key)),
  );
}

/** Whether two prototypes are equal, because a value that is generated twice has two sets of classes. */
function isSamePrototype(one: object, other: object): boolean {
  const [first, second] = [one, other].map((value) => Object.getPrototypeOf(value) as object | null);
  return first === second || first?.constructor?.name === second?.constructor?.name;
}
