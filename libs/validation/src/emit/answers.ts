import type { ValueRule } from '@app/shapes';
import type { ValidationArguments } from 'class-validator';
import type { Say } from './message-text';
import { addContext, type Check, type Pending, type PropertyError } from './property-error';

type Elements = Set<unknown> | Map<unknown, unknown>;

type Validator = ValueRule['validators'][number];

/** Whether a result is a promise, which class-validator awaits. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * Calls a validator for each element. All are called before any result is used, since one may throw, be asynchronous,
 * or have side effects.
 */
export function askEach(validator: Validator, value: unknown, given: ValidationArguments): unknown {
  const elements = Array.isArray(value) ? value : elementsOf(value as Elements);
  const answers = elements.map((element) => validator.instance.validate(element, given) as unknown);
  if (!answers.some(isThenable)) return answers.every(Boolean);
  const all = answers.map((answer) => (isThenable(answer) ? answer : Promise.resolve(answer)));
  return Promise.all(all).then((settled) => settled.every(Boolean));
}

function elementsOf(value: Elements): unknown[] {
  return Array.from(value instanceof Map ? value.values() : value);
}

/** Reserves the place of an asynchronous rule's error; whether it is an error is known later. */
export function waitFor(
  answer: PromiseLike<unknown>,
  error: PropertyError,
  name: string,
  say: Say,
  context: unknown,
  run: Pending,
): void {
  const open = error.open();
  const settled = answer.then((isValid) => {
    if (!isValid) {
      open.constraints[name] = say(error.object, error.value);
      if (context) addContext(open, name, context);
    }
    return isValid;
  });
  run.pending.push(settled);
}

/** `ValidatePromise`: the rules apply to the resolved value, and its error is the last. */
export function whenSettled(
  check: (...given: [object, unknown, ...rest: unknown[]]) => void,
  object: object,
  value: unknown,
  errors: Parameters<Check>[1],
  run: Pending,
): void {
  if (!(value instanceof Promise)) check(object, value, errors, run);
  else run.pending.push(value.then((held) => check(object, held, errors, run)));
}
