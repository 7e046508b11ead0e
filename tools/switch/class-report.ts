import { isDeepStrictEqual } from 'node:util';
import {
  type explain,
  type plainToInstance,
  readRules,
  readTransforms,
  type serialize,
  type validateSync,
} from '@app/engine';
import * as transformer from 'class-transformer';
import * as validator from 'class-validator';
import { sampleInput, sampleOutput } from './samples';
import { compareTimes, type Times } from './timing';

/** A class of the program. */
export type LoadedClass = new () => object;

/** The functions of the package that the program has installed. */
export interface Installed {
  readonly explain: typeof explain;
  readonly plainToInstance: typeof plainToInstance;
  readonly serialize: typeof serialize;
  readonly validateSync: typeof validateSync;
}

/** A rule that is called as the library calls it, and why. */
export interface SlowRule {
  /** The property, such as `CreateOrder.items`. */
  readonly property: string;
  readonly rule: string;
  readonly why: string;
}

/** The report on a direction of a class: whether it is compiled, and the gain. */
export interface DirectionReport {
  /** The reason why the direction is left to the libraries; `undefined` if it is compiled. */
  readonly why: string | undefined;
  readonly times: Times | undefined;
  /** The reason why the direction was not timed. */
  readonly untimed: string | undefined;
}

/** The report on a class. */
export interface ClassReport {
  readonly name: string;
  /** The input report; `undefined` without class-validator rules. */
  readonly input: (DirectionReport & InputFacts) | undefined;
  readonly output: DirectionReport;
}

/** The rules for an input, and the validity of the timed value. */
export interface InputFacts {
  readonly rules: number;
  readonly slow: readonly SlowRule[];
  /** Whether the value that was timed is valid. */
  readonly isValid: boolean;
}

/** Whether a class has decorators from class-validator or class-transformer. */
export function hasDecorators(type: Function): boolean {
  const { exposed, typeOf, transformsOf, excluded } = readTransforms(type);
  return rulesOf(type) > 0 || exposed.length + excluded.length + typeOf.size + transformsOf.size > 0;
}

function rulesOf(type: Function): number {
  return readRules(type, {}).properties.length;
}

/** Explains a class, and times it with a value that is made from its rules. */
export function reportOn(type: LoadedClass, installed: Installed): ClassReport {
  return {
    name: type.name,
    input: rulesOf(type) > 0 ? inputOf(type, installed) : undefined,
    output: outputOf(type, installed),
  };
}

function inputOf(type: LoadedClass, installed: Installed): DirectionReport & InputFacts {
  const { how, why, rules } = installed.explain(type).input;
  const slow = rules.flatMap(({ property, rule, how: run, why: reason }) =>
    run === 'called as by the library' ? { property, rule, why: reason ?? '' } : [],
  );
  const own = slow.find(({ rule }) => rule !== 'ValidateIf' && !(rule in validator));
  const facts = { rules: rules.length, slow, why: how === 'library' ? (why ?? '') : undefined };
  if (own)
    return {
      ...facts,
      isValid: false,
      times: undefined,
      untimed: `${own.rule} is a rule of its own, which may ask others`,
    };
  const value = attempt(() => sampleInput(type));
  const before = () => validator.validateSync(transformer.plainToInstance(type, value), accepting);
  const after = () => installed.validateSync(installed.plainToInstance(type, value), accepting);
  const isValid = attempt(() => before().length === 0) === true;
  return { ...facts, isValid, ...timesOf(before, after) };
}

/** The options that accept values without rules in any version. */
const accepting = { whitelist: true, forbidUnknownValues: false };

function outputOf(type: LoadedClass, installed: Installed): DirectionReport {
  const { mode, reason, classes } = installed.explain(type).output;
  const part = classes.find((explained) => explained.mode === 'library');
  const why = mode === 'library' ? (reason ?? '') : part && `${part.name}: ${part.reason ?? ''}`;
  const instance = attempt(() => transformer.plainToInstance(type, sampleOutput(type)));
  const before = () => JSON.stringify(transformer.instanceToPlain(instance));
  const after = () => installed.serialize(instance);
  return { why, ...timesOf(before, after) };
}

/** Times both functions, if they return the same value. */
function timesOf(before: () => unknown, after: () => unknown): Pick<DirectionReport, 'times' | 'untimed'> {
  try {
    if (!isDeepStrictEqual(before(), after())) return { times: undefined, untimed: 'the results differ' };
    return { times: compareTimes(before, after), untimed: undefined };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { times: undefined, untimed: `it throws with a sample: ${reason.split('\n', 1)[0]}` };
  }
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
