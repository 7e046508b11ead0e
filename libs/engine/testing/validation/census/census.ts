import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer } from 'class-validator';
import type { CompileOptions } from '../../../src/validation/plan/settings';
import { Random } from '../random';
import type { Field } from './field';
import { type Made, STYLES } from './styles';

/** A census class. It is created on demand, and removed from the libraries' storage afterwards. */
export interface CensusClass {
  /** The name, such as `transforms 12`. */
  readonly name: string;
  readonly style: string;
  make(): Made;
}

/** The two option sets in the census, as in Nest's pipe. */
export const CHOICES: Readonly<Record<'default options' | 'implicit conversion', CompileOptions>> = {
  'default options': { whitelist: true, forbidUnknownValues: false },
  'implicit conversion': {
    whitelist: true,
    forbidUnknownValues: false,
    transformOptions: { enableImplicitConversion: true },
  },
};

/** Classes that resemble public programs. They are the same at each run. */
export const CENSUS: readonly CensusClass[] = STYLES.flatMap(({ name: style, count, make }, which) =>
  Array.from({ length: count }, (_, at) => {
    const name = `${style} ${at + 1}`;
    return { name, style, make: () => named(name, make(new Random(which * 1000 + at), at)) };
  }),
);

function named(name: string, declared: Made): Made {
  Object.defineProperty(declared.type, 'name', { value: name.replaceAll(/\W/g, '') });
  return declared;
}

/** Runs a function with a single declared class, so that the libraries search only this class. */
export function withClass<Result>(censusClass: CensusClass, run: (declared: Made) => Result): Result {
  const before = booksOfLibraries().map((book) => new Set(book.keys()));
  useContainer(new FreshContainer());
  const forget = () => {
    useContainer(undefined as never);
    booksOfLibraries().forEach((book, at) => {
      for (const type of book.keys()) if (!before[at]?.has(type)) book.delete(type);
    });
  };
  let result: Result;
  try {
    result = run(censusClass.make());
  } catch (error) {
    forget();
    throw error;
  }
  if (result instanceof Promise) return result.finally(forget) as Result;
  forget();
  return result;
}

/**
 * A container like class-validator's own, which never empties its list. With many classes, searching that list takes
 * increasingly long.
 */
class FreshContainer {
  private readonly instances: { readonly type: unknown; readonly object: unknown }[] = [];

  get<One>(type: (new () => One) | { new: unknown }): One {
    let instance = this.instances.find((entry) => entry.type === type);
    if (!instance) {
      instance = { type, object: new (type as new () => One)() };
      this.instances.push(instance);
    }
    return instance.object as One;
  }
}

function booksOfLibraries(): Map<unknown, unknown>[] {
  const rules = getMetadataStorage() as unknown as Record<string, Map<unknown, unknown>>;
  const transforms = defaultMetadataStorage as unknown as Record<string, Map<unknown, unknown>>;
  const names = [
    '_typeMetadatas',
    '_transformMetadatas',
    '_exposeMetadatas',
    '_excludeMetadatas',
    '_ancestorsMap',
  ];
  return [
    ...['validationMetadatas', 'constraintMetadatas'].map((name) => rules[name]!),
    ...names.map((name) => transforms[name]!),
  ];
}

/** Creates a valid input with separate values for its fields. */
export function validInput({ fields }: Made, random: Random): Record<string, unknown> {
  const sent = fields.map(({ name, good }): [string, unknown] => [name, good(random)]);
  return structuredClone(Object.fromEntries(sent.filter(([, value]) => value !== undefined)));
}

const WRONG: readonly unknown[] = [
  null,
  '',
  'x',
  'true',
  '7',
  0,
  -1,
  1.5,
  1e21,
  true,
  false,
  {},
  [],
  [null],
  [{}],
  ['a', 1],
  'x'.repeat(300),
  { a: [1] },
];

/** Creates an input with wrong values, missing fields, undeclared fields, or fields in a different order. */
export function invalidInput(declared: Made, random: Random): Record<string, unknown> {
  const sent = validInput(declared, random);
  for (let count = 1 + random.below(3); count > 0; count--) spoil(sent, random.pick(declared.fields), random);
  if (random.chance(15)) sent['unknown'] = structuredClone(random.pick(WRONG));
  if (!random.chance(10)) return sent;
  return Object.fromEntries(random.shuffled(Object.entries(sent)));
}

function spoil(sent: Record<string, unknown>, { name }: Field, random: Random): void {
  const raw = sent[name];
  if (random.chance(15)) delete sent[name];
  else if (random.chance(25) && typeof raw === 'object' && raw !== null) spoilInside(raw, random);
  else sent[name] = structuredClone(random.pick(WRONG));
}

function spoilInside(raw: object, random: Random): void {
  const names = Object.keys(raw);
  if (names.length > 0) Reflect.set(raw, random.pick(names), structuredClone(random.pick(WRONG)));
}
