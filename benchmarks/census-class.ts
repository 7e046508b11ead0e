import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { compileValidator } from '../libs/engine/src/validation/validators/compile-validator.ts';
import { plainToInstance, validate, validateSync } from '../libs/engine/src/validation/validators/drop-in.ts';
import type { CompileOptions } from '../libs/engine/src/validation/plan/settings.ts';
import {
  type CensusClass,
  invalidInput,
  validInput,
} from '../libs/engine/testing/validation/census/census.ts';
import type { Made } from '../libs/engine/testing/validation/census/styles.ts';
import { Random } from '../libs/engine/testing/validation/random.ts';

/** The ratio of the libraries' time to the compiled code's time, and the reasons why a class is not compiled. */
export interface ClassReport {
  readonly name: string;
  readonly style: string;
  readonly reasons: readonly string[];
  readonly ratios: Partial<Record<'valid' | 'invalid' | 'valid, drop-ins' | 'invalid, drop-ins', number>>;
}

/** The effort of a measurement. The milliseconds apply to each subject in each round. */
interface Effort {
  readonly rounds: number;
  readonly milliseconds: number;
}

/** Validates a value and returns the errors. */
type Ask = (value: unknown) => unknown;

/** The most valid and invalid inputs, which are validated in turn. */
const MOST_INPUTS = 6;

/** Measures a class with the compiled code and with the libraries. */
export async function reportClass(
  { name, style }: CensusClass,
  { type, fields }: Made,
  options: CompileOptions,
  effort: Effort,
): Promise<ClassReport> {
  const compiled = compileValidator(type, options);
  const isAwaited = compiled.check(validInput({ type, fields }, new Random(1))) instanceof Promise;
  const libraries = throughFunctions(type, options, isAwaited, { ...transformer, ...validator });
  const dropIns = throughFunctions(type, options, isAwaited, { plainToInstance, validate, validateSync });
  const inputs = await sortInputs({ type, fields }, libraries);
  const ratios: Record<string, number> = {};
  for (const [way, values] of Object.entries(inputs)) {
    if (values.length === 0) continue;
    const subjects = [libraries, (value: unknown) => compiled.check(value), dropIns];
    const [theirs = 0, ours = 0, others = 0] = await times(subjects, values, isAwaited, effort);
    ratios[way] = theirs / ours;
    ratios[`${way}, drop-ins`] = theirs / others;
  }
  const { how, why } = compiled.explain();
  return { name, style, reasons: how === 'code' ? [] : [why ?? 'unknown'], ratios };
}

type Functions = Pick<typeof transformer, 'plainToInstance'> &
  Pick<typeof validator, 'validate' | 'validateSync'>;

function throughFunctions(
  type: new () => object,
  options: CompileOptions,
  isAwaited: boolean,
  own: Functions,
): Ask {
  const { transformOptions, ...rules } = options;
  return (value) => {
    const instance = own.plainToInstance(type, value, transformOptions) as object;
    return isAwaited ? own.validate(instance, rules) : own.validateSync(instance, rules);
  };
}

/** Sorts inputs into valid and invalid inputs with the libraries. Inputs for which the libraries throw are left out. */
async function sortInputs(built: Made, libraries: Ask): Promise<{ valid: unknown[]; invalid: unknown[] }> {
  const valid: unknown[] = [];
  const invalid: unknown[] = [];
  for (let seed = 0; seed < 60; seed++) {
    const make = () => (seed % 2 ? invalidInput : validInput)(built, new Random(seed));
    try {
      const errors = (await libraries(make())) as unknown[];
      (errors.length > 0 ? invalid : valid).push(make());
    } catch {
      continue;
    }
  }
  return { valid: valid.slice(0, MOST_INPUTS), invalid: invalid.slice(0, MOST_INPUTS) };
}

/**
 * Times all subjects. Rounds are short, so that other work interrupts only some rounds.
 *
 * @returns the nanoseconds that each subject took in its best round
 */
async function times(
  subjects: readonly Ask[],
  values: readonly unknown[],
  isAwaited: boolean,
  { rounds, milliseconds }: Effort,
): Promise<number[]> {
  const measureOne = isAwaited ? timeAwaited : timeAtOnce;
  const batches: number[] = [];
  for (const ask of subjects)
    batches.push(await warmUp((turns) => measureOne(ask, values, turns), milliseconds));
  const best = subjects.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [at, ask] of subjects.entries()) {
      const spent = await measureOne(ask, values, batches[at] ?? 1);
      best[at] = Math.min(best[at] ?? Infinity, spent);
    }
  }
  return best;
}

/**
 * Warms up a function. V8 interprets a function at first and compiles it after about 20 ms of CPU time. The warm-up counts CPU
 * time, because wall-clock time is too short on a busy machine.
 *
 * @returns the iterations that fit into this many milliseconds
 */
async function warmUp(
  measureTurns: (turns: number) => number | Promise<number>,
  milliseconds: number,
): Promise<number> {
  let turns = 1;
  let time = 0;
  for (const end = spentMs() + milliseconds * WARM_UP; spentMs() < end || time === 0;) {
    time = await measureTurns(turns);
    if (time * turns < milliseconds * 1e6) turns *= 2;
  }
  return turns;
}

/** The CPU time of the warm-up, in rounds. */
const WARM_UP = 30;

/** Returns this thread's CPU time in milliseconds. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let sink: unknown;

/** Returns nanoseconds per iteration. */
function timeAtOnce(ask: Ask, values: readonly unknown[], turns: number): number {
  const started = process.hrtime.bigint();
  for (let turn = 0; turn < turns; turn++) for (const value of values) sink = ask(value);
  return Number(process.hrtime.bigint() - started) / turns;
}

async function timeAwaited(ask: Ask, values: readonly unknown[], turns: number): Promise<number> {
  const started = process.hrtime.bigint();
  for (let turn = 0; turn < turns; turn++) for (const value of values) sink = await ask(value);
  return Number(process.hrtime.bigint() - started) / turns;
}

/** Returns the result of the last call, so that V8 cannot optimize calls away. */
export function lastAnswer(): unknown {
  return sink;
}
