import type { ValueRule } from '../../shapes/rules/rule-shape';
import { isThenable } from '../../shapes/values';
import type { ValidationArguments } from 'class-validator';
import type { Say } from './message-text';
import { addContext, type Check, type Pending, type PropertyError } from './property-error';

type Elements = Set<unknown> | Map<unknown, unknown>;

type Validator = ValueRule['validators'][number];

/**
 * Calls a validator for each element. All calls run before any result is used, since a call may throw, be asynchronous, or have
 * side effects.
 */
export function callEach(validator: Validator, value: unknown, args: ValidationArguments): unknown {
  const elements = Array.isArray(value) ? value : elementsOf(value as Elements);
  const results = elements.map((element) => validator.instance.validate(element, args) as unknown);
  if (!results.some(isThenable)) return results.every(Boolean);
  const all = results.map((result) => (isThenable(result) ? result : Promise.resolve(result)));
  return Promise.all(all).then((settled) => settled.every(Boolean));
}

function elementsOf(value: Elements): unknown[] {
  return Array.from(value instanceof Map ? value.values() : value);
}

/** Reserves the place for an asynchronous rule's error, because it is known only later whether the rule fails. */
export function waitFor(
  result: PromiseLike<unknown>,
  error: PropertyError,
  name: string,
  say: Say,
  context: unknown,
  run: Pending,
): void {
  const open = error.open();
  const settled = result.then((isValid) => {
    if (!isValid) {
      open.constraints[name] = say(error.object, error.value);
      if (context) addContext(open, name, context);
    }
    return isValid;
  });
  run.pending.push(settled);
}

/** Implements `ValidatePromise`: the rules apply to the resolved value, and its own error comes last. */
export function whenSettled(
  check: (...args: [object, unknown, ...rest: unknown[]]) => void,
  object: object,
  value: unknown,
  errors: Parameters<Check>[1],
  run: Pending,
): void {
  if (!(value instanceof Promise)) check(object, value, errors, run);
  else run.pending.push(value.then((raw) => check(object, raw, errors, run)));
}
