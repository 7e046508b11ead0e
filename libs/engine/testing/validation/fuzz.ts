import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer } from 'class-validator';
import { compileValidator } from '../../src/validation/validators/compile-validator';
import type { CompileOptions } from '../../src/validation/plan/settings';
import type { Explanation } from '../../src/validation/validators/explain';
import { type Entry, pickEntry, type WeightedEntries } from './entries';
import { differenceOfChecks } from './equality';
import { changeOptions, declareLate } from './changes';
import { AMBIENT, type GeneratedClass, generateClass, type Ingredients } from './generated-classes';
import { generateOptions } from './generated-options';
import { STICKY } from './generated-rules';
import { anyValue } from './generated-values';
import { quickContainer } from './quick-container';
import { Random } from './random';

/** A case with different results, with all data to repeat it. */
export interface Difference {
  readonly seed: number;
  readonly difference: string;
  readonly description: readonly string[];
  readonly options: unknown;
  readonly input: unknown;
}

/** The number of compared cases and classes, and how the classes are compiled. */
export interface Tally {
  cases: number;
  classes: number;
  /** The classes that are compared without an instance. */
  bare: number;
  code: number;
  library: number;
}

/** The additional comparisons for programs that use more than the two libraries. */
export interface FuzzParts {
  readonly entries?: WeightedEntries;
  readonly derive?: Ingredients['derive'];
  /** A part of the names of the compared entries; by default all entries are compared. */
  readonly entryName?: string | undefined;
}

const VALUES_PER_CLASS = 60;

/**
 * Compares generated classes, options and values with the libraries, until the results for a class differ.
 *
 * @param seed the same seed makes the same cases
 * @param notified called after each class, with the counts so far
 */
export async function fuzz(
  seed: number,
  cases: number,
  parts: FuzzParts = {},
  notified: (tally: Tally) => void = () => undefined,
): Promise<{ tally: Tally; difference: Difference | undefined }> {
  useContainer(quickContainer);
  const random = new Random(seed);
  const tally: Tally = { cases: 0, classes: 0, bare: 0, code: 0, library: 0 };
  let difference: Difference | undefined;
  while (tally.cases < cases && !difference) {
    difference = await validateClass(random.seed(), parts, tally);
    notified(tally);
  }
  useContainer(undefined as never);
  return { tally, difference };
}

/** Compares a number of values for a class, generated from a seed. */
export async function validateClass(
  seed: number,
  parts: FuzzParts = {},
  tally?: Tally,
): Promise<Difference | undefined> {
  const random = new Random(seed);
  forgetClasses();
  const options = generateOptions(random);
  const promises = !options.ignoreAsync;
  const entry = pickEntry(random, parts.entries, parts.entryName);
  const ingredients = entry.takesBare && random.chance(80) ? BARE : ingredientsOf(random, promises);
  const generated = generateClass(random, { ...ingredients, derive: parts.derive });
  const [ours, theirs] = [entry.ours(generated.type, options), entry.theirs(generated.type, options)];
  if (tally) count(tally, compileValidator(generated.type, options).explain(), entry);
  for (let at = 0; at < VALUES_PER_CLASS; at++) {
    if (random.chance(3)) change(random, generated.type, entry, options);
    const makeAny = inputOf(generated, random.seed());
    const makeInput = entry.takesJson ? () => asJson(makeAny()) : makeAny;
    const compared = differenceOfChecks(makeInput, ours, theirs);
    const failure = compared instanceof Promise ? await compared : compared;
    const difference = failure && `${entry.name}: ${failure}`;
    if (difference)
      return { seed, difference, description: generated.description, options, input: makeInput() };
    if (tally) tally.cases += 1;
  }
  return undefined;
}

function count(tally: Tally, { how, whyInstance }: Explanation, { takesBare }: Entry): void {
  tally.classes += 1;
  tally[how] += 1;
  if (takesBare && whyInstance === undefined) tally.bare += 1;
}

/** Makes a change between calls: it runs a decorator late, or changes the next call's options in the same objects. */
function change(
  random: Random,
  type: new () => object,
  { readsOptions }: Entry,
  options: CompileOptions,
): void {
  if (!readsOptions || random.chance(30)) declareLate(random, type);
  else changeOptions(random, options);
}

const BARE: Ingredients = { userCode: false, shapes: false, promises: false, plain: true, bare: true };

function ingredientsOf(random: Random, promises: boolean): Ingredients {
  if (random.chance(60)) return { userCode: false, shapes: false, promises: false, plain: true };
  return { userCode: random.chance(50), shapes: random.chance(40), promises, plain: false };
}

/** Returns the value that a JSON body would contain. */
export function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as unknown;
  } catch {
    // JSON has no such value: a bigint, a cycle.
    return null;
  }
}

function inputOf(generated: GeneratedClass, seed: number): () => unknown {
  return () => {
    STICKY.lastIndex = 0;
    const random = new Random(seed);
    AMBIENT.value = random.pick([undefined, undefined, 'abc', 3]);
    if (random.chance(3)) return anyValue(random);
    if (random.chance(3)) return [generated.makeValue(random), anyValue(random)];
    return generated.makeValue(random);
  };
}

/**
 * Removes the classes from the libraries, because they search every class that was ever decorated. Only the classes in a single
 * case are kept.
 */
export function forgetClasses(): void {
  const storage = getMetadataStorage() as unknown as Record<
    string,
    Map<unknown, unknown> | { length: number }
  >;
  const rules = storage['validationMetadatas'];
  if (!(rules instanceof Map)) {
    // One list before 0.14. Its validators stay, for those of a user's classes stand among them.
    if (rules) rules.length = 0;
  } else rules.clear();
  const raw = storage['constraintMetadatas'];
  const validators = raw instanceof Map ? raw : undefined;
  for (const type of validators?.keys() ?? [])
    if ((type as Function).name === 'CustomConstraint') validators?.delete(type);
  const books = defaultMetadataStorage as unknown as Record<string, Map<unknown, unknown>>;
  for (const name of [
    '_typeMetadatas',
    '_transformMetadatas',
    '_exposeMetadatas',
    '_excludeMetadatas',
    '_ancestorsMap',
  ])
    books[name]?.clear();
}
