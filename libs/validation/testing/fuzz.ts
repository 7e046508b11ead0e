import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer, type ValidationError } from 'class-validator';
import { compileValidator } from '../src/compile-validator';
import type { CompiledValidator } from '../src/compiled-validator';
import { plainToInstance, validate, validateSync } from '../src/drop-in';
import type { CompileOptions } from '../src/plan/settings';
import { unlikeLibrary } from './equality';
import {
  type GeneratedClass,
  generateClass,
  generateOptions,
  type Ingredients,
  STICKY,
} from './generated-classes';
import { anyValue } from './generated-values';
import { quickContainer } from './quick-container';
import { Random } from './random';

/** A case with different results: enough to repeat it. */
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
  code: number;
  library: number;
}

const VALUES_PER_CLASS = 60;

/**
 * Compares generated classes, options and values with the libraries, until the results for a class differ.
 *
 * @param seed the same seed makes the same cases
 * @param told called after each class, with the counts so far
 */
export async function fuzz(
  seed: number,
  cases: number,
  ingredients?: Ingredients,
  told: (tally: Tally) => void = () => undefined,
): Promise<{ tally: Tally; difference: Difference | undefined }> {
  useContainer(quickContainer);
  const random = new Random(seed);
  const tally: Tally = { cases: 0, classes: 0, code: 0, library: 0 };
  let difference: Difference | undefined;
  while (tally.cases < cases && !difference) {
    difference = await validateClass(random.seed(), ingredients, tally);
    told(tally);
  }
  useContainer(undefined as never);
  return { tally, difference };
}

/** Compares a number of values of one class, generated from one seed. */
export async function validateClass(
  seed: number,
  given?: Ingredients,
  tally?: Tally,
): Promise<Difference | undefined> {
  const random = new Random(seed);
  forgetClasses();
  const options = generateOptions(random);
  const promises = !options.ignoreAsync;
  const ingredients = given ?? ingredientsOf(random, promises);
  const made = generateClass(random, ingredients);
  const validator = random.chance(70)
    ? compileValidator(made.type, options)
    : throughDropIns(made.type, options);
  if (tally) tally[wayOf(validator)] += 1;
  if (tally) tally.classes += 1;
  for (let count = 0; count < VALUES_PER_CLASS; count++) {
    const makeInput = inputOf(made, random.seed());
    const judged = unlikeLibrary(made.type, options, makeInput, validator);
    const difference = judged instanceof Promise ? await judged : judged;
    if (difference) return { seed, difference, description: made.description, options, input: makeInput() };
    if (tally) tally.cases += 1;
  }
  return undefined;
}

function ingredientsOf(random: Random, promises: boolean): Ingredients {
  if (random.chance(60)) return { userCode: false, shapes: false, promises: false, plain: true };
  return { userCode: random.chance(50), shapes: random.chance(40), promises, plain: false };
}

/** The libraries' own functions as we have them, one after the other, with one object of options for all calls. */
function throughDropIns(type: new () => object, options: CompileOptions): CompiledValidator<object> {
  const { transformOptions, ignoreAsync, ...rules } = options;
  const answerOf = (value: object, errors: ValidationError[]) => (errors.length > 0 ? { errors } : { value });
  return {
    check(value) {
      const instance: object = plainToInstance(type, value, transformOptions);
      if (ignoreAsync) return answerOf(instance, validateSync(instance, rules));
      return validate(instance, rules).then((errors) => answerOf(instance, errors));
    },
    explain: () => compileValidator(type, options).explain(),
  };
}

/** How a class is compiled. */
function wayOf(validator: CompiledValidator<object>): 'code' | 'library' {
  return validator.explain().how;
}

function inputOf(made: GeneratedClass, seed: number): () => unknown {
  return () => {
    STICKY.lastIndex = 0;
    const random = new Random(seed);
    if (random.chance(3)) return anyValue(random);
    if (random.chance(3)) return [made.makeValue(random), anyValue(random)];
    return made.makeValue(random);
  };
}

/** The libraries search every class that was ever decorated; only those of one case are kept. */
function forgetClasses(): void {
  const storage = getMetadataStorage() as unknown as Record<
    string,
    Map<unknown, unknown> | { length: number }
  >;
  const rules = storage['validationMetadatas'];
  if (!(rules instanceof Map)) {
    // One list before 0.14. Its validators stay, for those of a user's classes stand among them.
    if (rules) rules.length = 0;
  } else rules.clear();
  const held = storage['constraintMetadatas'];
  const validators = held instanceof Map ? held : undefined;
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
