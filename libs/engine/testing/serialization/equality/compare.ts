import { fullOptions } from '../../../src/shapes/transforms/full-options';
import { type ClassTransformOptions, instanceToPlain } from 'class-transformer';
import { type ResponseWriter, responseWriterOf } from '../../../src/serialization/run/response-writer.ts';
import { type Serializer, serializerOf } from '../../../src/serialization/run/compile-serializer.ts';
import {
  type InstanceToPlain,
  makeInstanceToPlain,
} from '../../../src/serialization/run/instance-to-plain.ts';
import { referenceToPlain } from '../../../src/serialization/plan/reference.ts';
import { Programs } from '../../../src/serialization/run/programs.ts';
import { Chance } from './chance.ts';
import { makeClassTree } from './class-tree.ts';
import type { MadeClass } from './decorate.ts';
import { referenceInstance } from './reference-instance.ts';
import { makeAnswer, makeRoot, type InstanceSource } from './instances.ts';
import { type ChangingOptions, makeChangingOptions } from './changing-options.ts';
import { isSameOutcome, type Outcome, outcomeOf } from './outcome.ts';

/** A value for which the compiled functions differ from class-transformer. */
export interface Difference {
  /** The tree's seed, and the value's index. */
  readonly tree: number;
  readonly value: number;
  readonly options: ClassTransformOptions | null | undefined;
  readonly type: string;
  readonly what: 'text' | 'plain' | 'drop-in' | Answer;
  readonly expected: Outcome;
  readonly found: Outcome;
}

/** The ways in which a response is compared. */
type Answer = 'row' | 'hardened';

/** The result of comparing a class tree. */
export interface Comparison extends Tally {
  readonly differences: readonly Difference[];
  readonly classes: number;
  /** The number of compared values. It is lower than requested if most values are circular. */
  readonly values: number;
}

/** The ways in which values were written, because comparing class-transformer with itself would prove nothing. */
export interface Tally {
  /** The number of responses that were written without an instance. */
  readonly direct: number;
  /** The number of values that class-transformer serialized as a whole. */
  readonly leftWhole: number;
}

/** The values per class tree. */
export const VALUES_PER_TREE = 500;

/** The number of stack overflows after which the next tree is used, because they take a hundred times as long as other values. */
const ENDLESS = 5;

/**
 * Generates a class tree and values for it from a seed, and compares class-transformer's results with the compiled functions'
 * results. All calls share the classes, the options and their arrays. These change between calls: in place, after which a writer
 * is bound to them again, or through a decorator that runs.
 *
 * @returns the differences (an empty list is expected), and the number of compared values
 */
export function compareTree(seed: number, values = VALUES_PER_TREE): Comparison {
  const chance = new Chance(seed);
  const tree = makeClassTree(chance);
  const programs = { plain: new Programs(), hardened: new Programs({ hardened: true }) };
  const toPlain = makeInstanceToPlain(programs.plain);
  const subjects = [0, 1].map(() => {
    const options = makeChangingOptions(chance, tree);
    const { current } = options;
    return {
      tree: { ...tree, circles: current?.enableCircularCheck ? 0.1 : 0.0001 },
      options,
      writer: writerOf(chance.one(tree.classes), current, programs, toPlain),
    };
  });
  const writers = subjects.map(({ writer }) => writer);
  const differences: Difference[] = [];
  let [at, endless] = [0, 0];
  for (; at < values && endless < ENDLESS; at++) {
    const subject = chance.one(subjects);
    if (chance.is(0.1)) {
      subject.options.change(chance);
      subject.writer = writerOf(subject.writer.type, subject.options.current, programs, toPlain);
      writers.push(subject.writer);
    }
    if (chance.is(0.02)) tree.change(chance);
    const compare = at % 3 === 0 ? compareAnswer : compareValue;
    const pairs = compare({ ...subject, seed: seed * 1000 + at, at });
    if (pairs.some(({ expected }) => isEndless(expected))) endless += 1;
    const options = structuredClone({ ...subject.options.current, targetMaps: undefined });
    for (const { isSame, ...pair } of pairs)
      if (!isSame()) differences.push({ ...pair, options, tree: seed, value: at });
  }
  tree.forget();
  const tally = tallyOf(writers);
  return { differences, classes: tree.classes.length, values: at, ...tally };
}

function isEndless(outcome: Outcome): boolean {
  return 'thrown' in outcome && outcome.thrown.startsWith('RangeError: Maximum call stack');
}

function tallyOf(writers: readonly Writer[]): Tally {
  const explained = writers.flatMap(({ answers }) => Object.values(answers).map(({ explain }) => explain()));
  const all = [...explained, ...writers.map((writer) => writer.explain())];
  return {
    direct: sum(explained.map(({ direct }) => direct)),
    leftWhole: sum(all.map(({ leftWhole }) => leftWhole)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

interface Writer extends Serializer {
  readonly type: MadeClass;
  readonly answers: Readonly<Record<Answer, ResponseWriter>>;
  readonly dropIn: InstanceToPlain;
}

function writerOf(
  type: MadeClass,
  passed: ClassTransformOptions | undefined,
  { plain, hardened }: { readonly plain: Programs; readonly hardened: Programs },
  dropIn: InstanceToPlain,
): Writer {
  return {
    ...serializerOf(type, passed, plain),
    type,
    dropIn,
    answers: {
      row: responseWriterOf(type, passed, plain),
      hardened: responseWriterOf(type, passed, hardened),
    },
  };
}

/** A value, and its writers. */
interface Trial {
  readonly tree: InstanceSource;
  readonly options: ChangingOptions;
  readonly writer: Writer;
  readonly seed: number;
  readonly at: number;
}

interface Pair extends Pick<Difference, 'type' | 'what' | 'expected' | 'found'> {
  readonly isSame: () => boolean;
}

/**
 * Compares a value. It is generated again for each implementation, because some values change when they are read. The same
 * applies to the arrays in the options, which a transform may change.
 */
function compareValue({ tree, options, writer, seed, at }: Trial): Pair[] {
  const make = () => makeRoot(new Chance(seed), tree);
  const { current } = options;
  const type = writer.type.name;
  const fresh = (call: () => unknown) => options.afresh(() => outcomeOf(call));
  const plain = fresh(() => instanceToPlain(make(), current));
  const text = 'thrown' in plain ? plain : outcomeOf(() => JSON.stringify(plain.answer));
  const left = () => writer.explain().leftWhole;
  const isMovedIn = (call: (value: unknown) => unknown) =>
    tree.isFickle && isTransformedTwice(left, () => fresh(() => call(make())));
  if (at % 2 === 1) {
    const actual = fresh(() => writer.write(make()));
    const isSame = () => isSameOutcome(text, actual) || isMovedIn(writer.write);
    return [{ type, what: 'text', expected: text, found: actual, isSame }];
  }
  const actual = fresh(() => writer.toPlain(make()));
  const isSame = () => isSameOutcome(plain, actual) || isMovedIn(writer.toPlain);
  const dropped = fresh(() => writer.dropIn(make(), current));
  const isSameDropped = () => isSameOutcome(plain, dropped) || isMovedIn(writer.toPlain);
  return [
    { type, what: 'plain', expected: plain, found: actual, isSame },
    { type, what: 'drop-in', expected: plain, found: dropped, isSame: isSameDropped },
  ];
}

/** Compares a handler's return value: a store row, or an instance. */
function compareAnswer({ tree, options, writer, seed, at }: Trial): Pair[] {
  const make = () => makeAnswer(new Chance(seed), tree, writer.type);
  const what: Answer = at % 2 === 0 ? 'row' : 'hardened';
  const { current } = options;
  const expect = () => JSON.stringify(expectedOf[what](make(), writer.type, current));
  const expected = options.afresh(() => outcomeOf(expect));
  const actual = options.afresh(() => outcomeOf(() => writer.answers[what].write(make())));
  const isSame = () => tree.isFickle || isSameOutcome(expected, actual) || isForInstances(expected);
  return [{ type: writer.type.name, what, expected, found: actual, isSame }];
}

type Expected = (answer: unknown, type: MadeClass, options: ClassTransformOptions | undefined) => unknown;

const expectedOf: Readonly<Record<Answer, Expected>> = {
  row: (answer, type, options) => instanceToPlain(eachOf(answer, type), options),
  hardened: (answer, type, options) =>
    referenceToPlain(eachOf(answer, type), fullOptions(options), { isHardened: true, isStrict: false }),
};

function eachOf(answer: unknown, type: MadeClass): unknown {
  const view = (item: unknown) =>
    typeof item === 'object' && item !== null ? referenceInstance(type, item) : item;
  return Array.isArray(answer) ? Array.from(answer, view) : view(answer);
}

/**
 * Whether the outcome matters only where an instance is created: a getter with a `@Type` cannot be assigned, and circular parts
 * are endless.
 */
function isForInstances(expected: Outcome): boolean {
  return isEndless(expected) || ('thrown' in expected && expected.thrown.endsWith('which has only a getter'));
}

/**
 * Whether transforms ran twice because class-transformer had to write the value. If they change the value, the result differs.
 * This is documented for the serializer, and does not count as a difference.
 */
function isTransformedTwice(count: () => number, call: () => unknown): boolean {
  const before = count();
  call();
  return count() > before;
}
