import { type Checked, type CompiledValidator, compileValidator } from '../src/compiled/compile-validator';
import { runLibrary } from '../src/compiled/library';
import type { CompileOptions } from '../src/compiled/settings';
import { differenceOf } from './difference';

/** What came of a value on one side: an answer or something thrown, and what became of the input. */
interface Outcome {
  readonly answer?: Checked<object>;
  readonly thrown?: unknown;
  readonly input: unknown;
}

/**
 * Judges both sides on the same input: result, instance, error tree, what was thrown, what was changed in the input.
 *
 * @param makeInput called once for each side, so that none sees what the other changed
 * @returns the first difference, or `undefined`
 */
export function unlikeLibrary(
  type: new () => object,
  options: CompileOptions,
  makeInput: () => unknown,
  validator: CompiledValidator<object> = compileValidator(type, options),
): string | undefined | Promise<string | undefined> {
  const theirs = outcomeOf(makeInput(), (input) => askLibrary(type, input, options));
  const ours = outcomeOf(makeInput(), (input) => validator.check(input));
  if (theirs instanceof Promise || ours instanceof Promise)
    return Promise.all([ours, theirs]).then(([one, other]) => unlike(one, other));
  return unlike(ours, theirs);
}

function askLibrary(
  type: Function,
  input: unknown,
  options: CompileOptions,
): ReturnType<CompiledValidator<object>['check']> {
  const { instance, errors } = runLibrary(type, input, options);
  if (!Array.isArray(errors))
    return errors.then((found) => (found.length > 0 ? { errors: found } : { value: instance }));
  return errors.length > 0 ? { errors } : { value: instance };
}

function outcomeOf(
  input: unknown,
  run: (input: unknown) => Checked<object> | Promise<Checked<object>>,
): Outcome | Promise<Outcome> {
  try {
    const answer = run(input);
    if (!(answer instanceof Promise)) return { answer, input };
    return answer.then(
      (settled) => ({ answer: settled, input }),
      (thrown: unknown) => ({ thrown: describeThrown(thrown), input }),
    );
  } catch (thrown) {
    return { thrown: describeThrown(thrown), input };
  }
}

/** Two errors are equal if they are of one class and say the same; where they were made does not count. */
function describeThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { thrown };
  return { class: thrown.constructor.name, message: thrown.message };
}

function unlike(ours: Outcome, theirs: Outcome): string | undefined {
  return differenceOf(ours, theirs);
}
