import { type ClassTransformOptions, instanceToPlain, plainToInstance } from 'class-transformer';
import { type AnswerWriter, answerWriter } from '../../src/compiled/answer-writer.ts';
import type { Reading } from '../../src/compiled/row-writer.ts';
import { compileSerializer, type Serializer } from '../../src/compiled/compile-serializer.ts';
import { type CompileSettings, fullOptions } from '../../src/compiled/options.ts';
import { referenceFor } from '../../src/compiled/reference.ts';
import { Chance } from './chance.ts';
import { makeClassTree } from './class-tree.ts';
import type { MadeClass } from './decorate.ts';
import { makeAnswer, makeRoot, type Soil } from './instances.ts';
import { instanceByTheBook } from './instance-by-the-book.ts';
import { isSameOutcome, type Outcome, outcomeOf } from './outcome.ts';

/** A value for which the compiled side does not do what class-transformer does. */
export interface Difference {
  /** The seed of the tree, and which of its values it is. */
  readonly tree: number;
  readonly value: number;
  readonly options: ClassTransformOptions;
  readonly mode: string;
  readonly what: 'text' | 'plain' | Answer;
  readonly expected: Outcome;
  readonly found: Outcome;
}

/** How an answer is compared: `hardened` is of rows. */
type Answer = Reading | 'hardened';

/** What comparing a tree of classes came to. */
export interface Comparison extends Tally {
  readonly differences: readonly Difference[];
  readonly classes: number;
  /** Fewer than were asked for where most of them have no end. */
  readonly values: number;
}

/** How the compiled side did its work; a comparison of class-transformer with itself would prove nothing. */
export interface Tally {
  /** Answers written without an instance. */
  readonly direct: number;
  /** Values that were given to class-transformer whole. */
  readonly leftWhole: number;
}

/** How many values are written for one tree of classes. */
export const VALUES_PER_TREE = 500;

/** After so many values that end with the stack, a tree is left: they take a hundred times as long as others. */
const ENDLESS = 5;

/**
 * Makes a tree of classes, and values of them, from a seed, and compares what class-transformer and the compiled
 * serializer make of each.
 *
 * @returns the differences, of which there should be none, and what was compared
 */
export function compareTree(seed: number, values = VALUES_PER_TREE): Comparison {
  const chance = new Chance(seed);
  const tree = makeClassTree(chance);
  const subjects = [makeOptions(chance, tree), makeOptions(chance, tree)].map((options) => ({
    tree: { ...tree, circles: options.enableCircularCheck ? 0.1 : 0.0001 },
    options,
    writers: writersOf(chance.one(tree.classes), options),
  }));
  const differences: Difference[] = [];
  let [at, endless] = [0, 0];
  for (; at < values && endless < ENDLESS; at++) {
    const { writers, ...subject } = chance.one(subjects);
    const compare = at % 3 === 0 ? compareAnswer : compareValue;
    const pairs = compare({ ...subject, writer: chance.one(writers), seed: seed * 1000 + at, at });
    if (pairs.some(({ expected }) => isEndless(expected))) endless += 1;
    const { options } = subject;
    for (const { isSame, ...pair } of pairs)
      if (!isSame()) differences.push({ ...pair, options, tree: seed, value: at });
  }
  tree.forget();
  const tally = tallyOf(subjects.flatMap(({ writers }) => writers));
  return { differences, classes: tree.classes.length, values: at, ...tally };
}

function isEndless(outcome: Outcome): boolean {
  return 'thrown' in outcome && outcome.thrown.startsWith('RangeError: Maximum call stack');
}

function tallyOf(writers: readonly Writer[]): Tally {
  const told = writers.flatMap(({ answers }) => Object.values(answers).map(({ explain }) => explain()));
  const all = [...told, ...writers.map((writer) => writer.explain())];
  return {
    direct: sum(told.map(({ direct }) => direct)),
    leftWhole: sum(all.map(({ leftWhole }) => leftWhole)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

interface Writer extends Serializer {
  readonly type: MadeClass;
  readonly answers: Readonly<Record<Answer, AnswerWriter>>;
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
      hardened: answerWriter(type, options, { mode, reading: 'row', hardened: true }),
    },
  }));
}

/** One value, and who is to write it. */
interface Trial {
  readonly tree: Soil;
  readonly options: ClassTransformOptions;
  readonly writer: Writer;
  readonly seed: number;
  readonly at: number;
}

interface Pair extends Pick<Difference, 'mode' | 'what' | 'expected' | 'found'> {
  readonly isSame: () => boolean;
}

/** Values are made anew for each side, as some of them change when they are looked at. */
function compareValue({ tree, options, writer, seed, at }: Trial): Pair[] {
  const make = () => makeRoot(new Chance(seed), tree);
  const plain = outcomeOf(() => instanceToPlain(make(), options));
  const text = 'thrown' in plain ? plain : outcomeOf(() => JSON.stringify(plain.answer));
  const { mode } = writer;
  const found = outcomeOf(() => writer.write(make()));
  const left = () => writer.explain().leftWhole;
  const isMovedIn = (call: (value: unknown) => unknown) => tree.isFickle && isMoved(left, () => call(make()));
  const isSame = () => isSameOutcome(text, found) || isMovedIn(writer.write);
  const pairs: Pair[] = [{ mode, what: 'text', expected: text, found, isSame }];
  if (at % 2 === 1) return pairs;
  const foundPlain = outcomeOf(() => writer.toPlain(make()));
  const isSamePlain = () => isSameOutcome(plain, foundPlain) || isMovedIn(writer.toPlain);
  return [...pairs, { mode, what: 'plain', expected: plain, found: foundPlain, isSame: isSamePlain }];
}

/** What a handler might return: as a store gives it, or as it was made. */
function compareAnswer({ tree, options, writer, seed, at }: Trial): Pair[] {
  const make = () => makeAnswer(new Chance(seed), tree, writer.type);
  const what = chosen(at);
  const expected = outcomeOf(() => JSON.stringify(expectedOf[what](make(), writer.type, options)));
  const found = outcomeOf(() => writer.answers[what].write(make()));
  const isSame = () => tree.isFickle || isSameOutcome(expected, found) || isForInstances(expected);
  return [{ mode: writer.mode, what, expected, found, isSame }];
}

/** Of the values that are compared as answers, each third. */
function chosen(at: number): Answer {
  const answers: readonly Answer[] = ['row', 'input', 'hardened'];
  return answers[Math.floor(at / 3) % answers.length];
}

type Expected = (answer: unknown, type: MadeClass, options: ClassTransformOptions) => unknown;

const expectedOf: Readonly<Record<Answer, Expected>> = {
  row: (answer, type, options) => ofEach(answer, type, (instance) => instanceToPlain(instance, options)),
  hardened: (answer, type, options) => ofEach(answer, type, referenceFor(fullOptions(options), true).whole),
  input: (answer, type, options) => instanceToPlain(plainToInstance(type, answer, options), options),
};

function ofEach(answer: unknown, type: MadeClass, write: (instance: object) => unknown): unknown {
  const view = (one: unknown) =>
    typeof one === 'object' && one !== null ? write(instanceByTheBook(type, one)) : one;
  return Array.isArray(answer) ? answer.map(view) : view(answer);
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

function makeOptions(chance: Chance, { classes }: { classes: readonly MadeClass[] }): ClassTransformOptions {
  return {
    ...(chance.is(0.3) && { groups: chance.some(['admin', 'user'], 0.6) }),
    ...(chance.is(0.2) && { version: chance.below(4) }),
    ...(chance.is(0.15) && { strategy: chance.one(['excludeAll' as const, 'exposeAll' as const]) }),
    ...(chance.is(0.1) && { excludeExtraneousValues: true }),
    ...(chance.is(0.15) && { exposeUnsetFields: false }),
    ...(chance.is(0.08) && { enableCircularCheck: true }),
    ...(chance.is(0.05) && { ignoreDecorators: true }),
    ...(chance.is(0.05) && { excludePrefixes: chance.some(['p', 'a', 'na', ''], 0.5) }),
    ...(chance.is(0.02) && { exposeDefaultValues: true, enableImplicitConversion: true }),
    ...(chance.is(0.01) && {
      targetMaps: [{ target: classes[0], properties: { part: chance.one(classes) } }],
    }),
  };
}
