import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidationError } from 'class-validator';
import { readBooleans } from '../boolean-texts';
import { findMisplacedLists } from '../misplaced-lists';
import { takeMemberNames } from '../own-names';
import { withUnknownMembers } from '../unknown-members';
import {
  findUnsafeInput,
  isOverrun,
  isPlain,
  toError,
  type UnsafeInput,
  unreadableInput,
} from '../unsafe-input';
import type { Checked, CompiledValidator, InputType } from './compiled-validator';
import { FirstPass } from './first-pass';
import type { CompileOptions } from './settings';

type Answer<T> = Checked<T> | Promise<Checked<T>>;

/**
 * A validator that fails closed. Beside what the rules say it refuses
 *
 * - what is no plain object, and a list in place of an object within it;
 * - what is nested too deep, too large, or no well-formed text (`findUnsafeInput`);
 * - where a boolean is made of it: all but booleans and the texts `true` and `false`, which become what they say;
 * - with `forbidNonWhitelisted`: fields named like members of their class, which the libraries leave out in silence;
 * - an input at which a rule or a transform throws what JavaScript itself throws (`TypeError` and its kin).
 *
 * An input may be changed in place.
 *
 * @param exact answers as the libraries do
 */
export function harden<T extends object>(
  type: InputType<T>,
  options: CompileOptions,
  exact: CompiledValidator<T>,
): CompiledValidator<T> {
  const first = new FirstPass(options);
  return {
    check: (value) =>
      (first.read(type, value) as Checked<T> | undefined) ?? checkClosed(type, value, options, exact),
    explain: () => exact.explain(),
  };
}

function checkClosed<T extends object>(
  type: InputType<T>,
  value: unknown,
  options: CompileOptions,
  exact: CompiledValidator<T>,
): Answer<T> {
  if (!isPlain(value) || Array.isArray(value)) return refused(notAnObject);
  return readable(() => {
    const unsafe = findUnsafeInput(value) ?? readBooleans(type, value, options.transformOptions);
    if (unsafe) return refused(unsafe);
    const taken = takeMemberNames(type, value);
    const isUnknown = taken.size > 0 && options.forbidNonWhitelisted;
    const answer = isUnknown ? checkMembers(type, value, options, taken) : exact.check(value);
    return andThen(answer, (checked) => {
      const lists = 'value' in checked ? findMisplacedLists(checked.value, options) : [];
      return lists.length > 0 ? { errors: lists } : checked;
    });
  });
}

const notAnObject: UnsafeInput = { rule: 'isObject', message: 'an object is expected', path: [] };

function refused(unsafe: UnsafeInput): { errors: ValidationError[] } {
  return { errors: [toError(unsafe)] };
}

function checkMembers<T extends object>(
  type: InputType<T>,
  value: unknown,
  options: CompileOptions,
  taken: ReturnType<typeof takeMemberNames>,
): Answer<T> {
  const instance = plainToInstance(type, value, options.transformOptions);
  const rules = { ...options };
  const errors = withUnknownMembers(taken, value, instance, options, () =>
    options.ignoreAsync ? validateSync(instance, rules) : validate(instance, rules),
  );
  return andThen(errors, (found) => (found.length > 0 ? { errors: found } : { value: instance }));
}

/** Runs code of others, which may throw at what it is given. What else it throws is meant, and goes on. */
function readable<T>(run: () => Answer<T>): Answer<T> {
  try {
    const answer = run();
    return answer instanceof Promise ? answer.catch(rejectOverrun) : answer;
  } catch (error) {
    return rejectOverrun(error);
  }
}

function rejectOverrun(error: unknown): { errors: ValidationError[] } {
  if (!isOverrun(error)) throw error;
  return refused(unreadableInput);
}

function andThen<Made, Next>(made: Made | Promise<Made>, make: (made: Made) => Next): Next | Promise<Next> {
  return made instanceof Promise ? made.then(make) : make(made);
}
