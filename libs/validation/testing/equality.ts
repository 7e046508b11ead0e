import { compileValidator } from '../src/compile-validator';
import type { Checked, CompiledValidator } from '../src/compiled-validator';
import { runLibrary } from '../src/emit/library';
import type { CompileOptions } from '../src/plan/settings';
import { differenceOf } from './difference';

/** The outcome of a value on one side: a result or a thrown error, and the changed input. */
interface Outcome {
  readonly answer?: Checked<object>;
  readonly thrown?: unknown;
  readonly input: unknown;
}

/**
 * Compares both sides on the same input: result, instance, error tree, thrown errors, changes of the input.
 *
 * Sequentially, also if they are asynchronous: a stateful rule would mix them up.
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
  const ask = () => outcomeOf(makeInput(), (input) => askLibrary(type, input, options));
  const check = () => outcomeOf(makeInput(), (input) => validator.check(input));
  const theirs = ask();
  if (!(theirs instanceof Promise)) {
    const ours = check();
    return ours instanceof Promise
      ? ours.then((one) => differenceOf(one, theirs))
      : differenceOf(ours, theirs);
  }
  return theirs.then(async (other) => differenceOf(await check(), other));
}

function askLibrary(
  type: Function,
  input: unknown,
  options: CompileOptions,
): ReturnType<CompiledValidator<object>['check']> {
  const { instance, validate } = runLibrary(type, input, options);
  const errors = validate();
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
    return settled(answer, input);
  } catch (thrown) {
    return { thrown: describeThrown(thrown), input };
  }
}

/** More than the deepest of generated classes needs; a value with a `then` of its own may never settle at all. */
const MOST_TURNS = 1000;

async function settled(answer: Promise<Checked<object>>, input: unknown): Promise<Outcome> {
  const held: { outcome?: Outcome } = {};
  answer.then(
    (found) => (held.outcome = { answer: found, input }),
    (thrown: unknown) => (held.outcome = { thrown: describeThrown(thrown), input }),
  );
  for (let turn = 0; turn < MOST_TURNS && !held.outcome; turn++) await Promise.resolve();
  return held.outcome ?? { thrown: 'never settled', input };
}

/** Two errors are equal if they are of one class and say the same; where they were made does not count. */
function describeThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { thrown };
  return { class: thrown.constructor.name, message: thrown.message };
}
