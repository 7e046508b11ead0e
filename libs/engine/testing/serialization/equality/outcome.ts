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
export function isSameOutcome(a: Outcome, b: Outcome): boolean {
  if ('thrown' in a || 'thrown' in b) {
    return 'thrown' in a && 'thrown' in b && a.thrown === b.thrown;
  }
  return isSame(a.answer, b.answer);
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a === 'function' && typeof b === 'function') return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (!isSamePrototype(a, b)) return false;
  if (isDate(a) && isDate(b)) return Object.is(a.valueOf(), b.valueOf());
  const keys = Reflect.ownKeys(a);
  const others = Reflect.ownKeys(b);
  if (keys.length !== others.length) return false;
  return keys.every((key, at) => key === others[at] && isSame(Reflect.get(a, key), Reflect.get(b, key)));
}

/** Whether two prototypes are equal, because a value that is generated twice has two sets of classes. */
function isSamePrototype(a: object, b: object): boolean {
  const [first, second] = [a, b].map((value) => Object.getPrototypeOf(value) as object | null);
  return first === second || first?.constructor?.name === second?.constructor?.name;
}
