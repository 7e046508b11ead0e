import { isFunction, prototypeOf } from '../../shapes/values';
import { isSame } from '../../shapes/lists';
import { fillIn } from './messages';
import { argumentsOf, type Declared } from './property-error';

/** Returns whether the arguments of a decorator are unchanged. */
export interface Watch {
  /** Whether the arguments are immutable: strings, numbers, regular expressions. */
  readonly isFixed: boolean;
  /**
   * Whether the arguments are immutable values or lists of them. Changes to such lists are detected; other values are unknown.
   */
  readonly isWatched: boolean;
  /** Compares the arguments with the previous call. */
  isUnchanged(): boolean;
}

/** Detects changes to a decorator's arguments. */
export function watch(constraints: readonly unknown[]): Watch {
  const lists = constraints.filter((constraint): constraint is unknown[] => Array.isArray(constraint));
  const isWatched = constraints.every((constraint) =>
    Array.isArray(constraint) ? constraint.every(isFixed) : isFixed(constraint),
  );
  let copies = lists.map((list) => [...list]);
  const isUnchanged = (): boolean => {
    const isUnchangedNow = isWatched && lists.every((list, at) => isSame(list, copies[at]));
    if (!isUnchangedNow) copies = lists.map((list) => [...list]);
    return isUnchangedNow;
  };
  return { isFixed: lists.length === 0 && isWatched, isWatched, isUnchanged };
}

/** Returns a message text with its placeholders replaced. */
export function textOf(words: string, declared: Declared, object: object, value: unknown): string {
  return fillIn(words, argumentsOf(object, value, declared));
}

function isFixed(value: unknown): boolean {
  if ((typeof value !== 'object' && !isFunction(value)) || value === null) return true;
  return value instanceof RegExp && prototypeOf(value) === RegExp.prototype;
}
