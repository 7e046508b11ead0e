import { inspect } from 'node:util';
import { compileValidator } from '../../src/validation/validators/compile-validator';
import type { Checked, CompiledValidator } from '../../src/validation/validators/compiled-validator';
import type { CompileOptions } from '../../src/validation/plan/settings';
import { differenceOf } from './difference';
import { byLibraries, type Check } from './entries';

/** The outcome for a value from either side: a result or a thrown error, and the changed input. */
interface Outcome {
  readonly result?: Checked<object>;
  readonly thrown?: unknown;
  readonly input: unknown;
}

/**
 * Compares both sides on the same input: result, instance, error tree, thrown errors, changes to the input.
 *
 * The sides run sequentially, even if they are asynchronous, because a stateful rule would mix them up.
 *
 * @param makeInput called once for each side, so that a side never sees the changes from the other side
 * @returns the first difference, or `undefined`
 */
export function unlikeLibrary(
  type: new () => object,
  options: CompileOptions,
  makeInput: () => unknown,
  validator: Pick<CompiledValidator<object>, 'check'> = compileValidator(type, options),
): string | undefined | Promise<string | undefined> {
  return differenceOfChecks(makeInput, validator.check, byLibraries(type, options));
}

/** Works like {@link unlikeLibrary}, for any two functions. */
export function differenceOfChecks(
  makeInput: () => unknown,
  ours: Check,
  theirs: Check,
): string | undefined | Promise<string | undefined> {
  const check = () => outcomeOf(makeInput(), ours);
  const expected = outcomeOf(makeInput(), theirs);
  if (expected instanceof Promise)
    return expected.then(async (outcome) => differenceOfOutcomes(await check(), outcome));
  const actual = check();
  return actual instanceof Promise
    ? actual.then((outcome) => differenceOfOutcomes(outcome, expected))
    : differenceOfOutcomes(actual, expected);
}

function differenceOfOutcomes(actual: Outcome, expected: Outcome): string | undefined {
  const difference = differenceOf(actual, expected);
  return difference && `${difference}${throwOf('ours', actual)}${throwOf('theirs', expected)}`;
}

function throwOf(whose: string, { thrown }: Outcome): string {
  return thrown === undefined ? '' : `; ${whose} threw ${inspect(thrown)}`;
}

function outcomeOf(
  input: unknown,
  run: (input: unknown) => Checked<object> | Promise<Checked<object>>,
): Outcome | Promise<Outcome> {
  try {
    const result = run(input);
    if (!(result instanceof Promise)) return { result, input };
    return settled(result, input);
  } catch (thrown) {
    return { thrown: describeThrown(thrown), input };
  }
}

/** More turns than the deepest generated class needs. A value with its own `then` may never settle. */
const MOST_TURNS = 1000;

async function settled(result: Promise<Checked<object>>, input: unknown): Promise<Outcome> {
  const raw: { outcome?: Outcome } = {};
  result.then(
    (value) => (raw.outcome = { result: value, input }),
    (thrown: unknown) => (raw.outcome = { thrown: describeThrown(thrown), input }),
  );
  for (let turn = 0; turn < MOST_TURNS && !raw.outcome; turn++) await Promise.resolve();
  return raw.outcome ?? { thrown: 'never settled', input };
}

/** Describes a thrown value. Two errors are equal if they have the same class and message, wherever they were created. */
function describeThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return { thrown };
  return { class: thrown.constructor.name, message: thrown.message };
}
