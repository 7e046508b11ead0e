import { type ClassTransformOptions, instanceToPlain, plainToInstance } from 'class-transformer';
import { type AnswerWriter, answerWriter } from '../../src/compiled/answer-writer.ts';
import type { Reading } from '../../src/compiled/row-writer.ts';
import { asInstance } from '../../src/instance.ts';
import { compileSerializer, type Serializer } from '../../src/compiled/compile-serializer.ts';
import type { CompileSettings } from '../../src/compiled/options.ts';
import { Chance } from './chance.ts';
import { type ClassTree, makeClassTree, type MadeClass } from './class-tree.ts';
import { makeAnswer, makeRoot } from './instances.ts';
import { isSameOutcome, type Outcome, outcomeOf } from './outcome.ts';

/** A value for which the compiled side does not do what class-transformer does. */
export interface Difference {
  readonly tree: number;
  readonly value: number;
  readonly options: ClassTransformOptions;
  readonly mode: string;
  readonly what: 'text' | 'plain' | Reading;
  readonly expected: Outcome;
  readonly found: Outcome;
}

/** What comparing a tree of classes came to. */
export interface Comparison extends Tally {
  readonly differences: readonly Difference[];
}

/** How the compiled side did its work; a comparison of class-transformer with itself would prove nothing. */
export interface Tally {
  /** Answers written without an instance. */
  readonly direct: number;
  /** Values that were given to class-transformer whole. */
  readonly leftWhole: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

function tallyOf(writers: readonly Writer[]): Tally {
  const answers = writers.flatMap(({ answers: { row, input } }) => [row.explain(), input.explain()]);
  const all = [...answers, ...writers.map((writer) => writer.explain())];
  return {
    direct: sum(answers.map(({ direct }) => direct)),
    leftWhole: sum(all.map(({ leftWhole }) => leftWhole)),
  };
}

/** How many values are written for one tree of classes. */
export const VALUES_PER_TREE = 500;

/**
 * Makes a tree of classes, and values of them, from a seed, and compares what class-transformer and the compiled
 * serializer make of each.
 *
 * @returns the differences, of which there should be none, and what was compared
 */
export function compareTree(seed: number, values = VALUES_PER_TREE): Comparison {
  const chance = new Chance(seed);
  const tree = makeClassTree(chance);
  const optionsOfTree = [makeOptions(chance), makeOptions(chance)];
  const writers = optionsOfTree.map((options) => writersOf(chance.one(tree.classes), options));
  const differences: Difference[] = [];
  for (let at = 0; at < values; at++) {
    const which = chance.below(optionsOfTree.length);
    const pick = writers[which][chance.below(writers[which].length)];
    const compare = at % 3 === 0 ? compareAnswer : compareValue;
    const found: Omit<Difference, 'tree' | 'value'>[] = compare(
      tree,
      seed * 1000 + at,
      optionsOfTree[which],
      pick,
    );
    differences.push(...found.map((one) => ({ ...one, tree: seed, value: at })));
  }
  tree.forget();
  return { differences, ...tallyOf(writers.flat()) };
}

interface Writer extends Serializer {
  readonly type: MadeClass;
  readonly answers: Readonly<Record<Reading, AnswerWriter>>;
  readonly mode: string;
}

function writersOf(type: MadeClass, options: ClassTransformOptions): Writer[] {
  const modes: CompileSettings['mode'][] = ['generated', 'closures'];
  return modes.map((mode) => ({
    ...compileSerializer(type, options, { mode }),
    type,
    mode: `${type.name} ${mode}`,
    answers: {
      row: answerWriter(type, options, { mode, reading: 'row' }),
      input: answerWriter(type, options, { mode, reading: 'input' }),
    },
  }));
}

/** Values are made twice, as some of them change when they are looked at. */
function compareValue(tree: ClassTree, seed: number, options: ClassTransformOptions, writer: Writer) {
  const make = () => makeRoot(new Chance(seed), tree);
  const plain = outcomeOf(() => instanceToPlain(make(), options));
  const text = 'thrown' in plain ? plain : outcomeOf(() => JSON.stringify(plain.answer));
  const pairs = [
    { what: 'plain' as const, expected: plain, found: outcomeOf(() => writer.toPlain(make())) },
    { what: 'text' as const, expected: text, found: outcomeOf(() => writer.write(make())) },
  ];
  const left = () => writer.explain().leftWhole;
  return pairs
    .filter(({ expected, found }) => !isSameOutcome(expected, found))
    .filter(({ what }) => what === 'plain' || !tree.isFickle || !isMoved(left, () => writer.write(make())))
    .map((pair) => ({ ...pair, options, mode: writer.mode }));
}

/** What a handler might return: as a store gives it, or as it was made. */
function compareAnswer(tree: ClassTree, seed: number, options: ClassTransformOptions, writer: Writer) {
  const make = () => makeAnswer(new Chance(seed), tree, writer.type);
  const view = (one: unknown) =>
    typeof one === 'object' && one !== null ? instanceToPlain(asInstance(writer.type, one), options) : one;
  const expected = {
    row: (answer: unknown) => (Array.isArray(answer) ? answer.map(view) : view(answer)),
    input: (answer: unknown) => instanceToPlain(plainToInstance(writer.type, answer, options), options),
  };
  const readings = ['row', 'input'] as const;
  return readings
    .map((what) => ({
      what,
      expected: outcomeOf(() => JSON.stringify(expected[what](make()))),
      found: outcomeOf(() => writer.answers[what].write(make())),
    }))
    .filter(
      ({ expected: one, found }) => !tree.isFickle && !isSameOutcome(one, found) && !isForInstances(one),
    )
    .map((pair) => ({ ...pair, options, mode: writer.mode }));
}

/** A getter with a `@Type` cannot be given its part; that only matters where an instance is made. */
function isForInstances(expected: Outcome): boolean {
  return 'thrown' in expected && expected.thrown.endsWith('which has only a getter');
}

/**
 * A value that was given to class-transformer after its transforms had run once: where they change what they look at,
 * twice is not once. That is said of the serializer, and is no difference.
 */
function isMoved(count: () => number, call: () => unknown): boolean {
  const before = count();
  outcomeOf(call);
  return count() > before;
}

function makeOptions(chance: Chance): ClassTransformOptions {
  return {
    ...(chance.is(0.3) && { groups: chance.some(['admin', 'user'], 0.6) }),
    ...(chance.is(0.2) && { version: chance.below(4) }),
    ...(chance.is(0.15) && { strategy: chance.one(['excludeAll' as const, 'exposeAll' as const]) }),
    ...(chance.is(0.1) && { excludeExtraneousValues: true }),
    ...(chance.is(0.15) && { exposeUnsetFields: false }),
    ...(chance.is(0.03) && { enableCircularCheck: true }),
    ...(chance.is(0.02) && { ignoreDecorators: true }),
    ...(chance.is(0.02) && { excludePrefixes: ['p'] }),
    ...(chance.is(0.02) && { exposeDefaultValues: true, enableImplicitConversion: true }),
  };
}
