import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, useContainer } from 'class-validator';
import type { CompileOptions } from '../../src/plan/settings';
import { Random } from '../random';
import type { Field } from './field';
import { type Made, STYLES } from './styles';

/** A class of the census: made when it is asked for, and forgotten by the libraries after that. */
export interface CensusClass {
  /** `transforms 12` */
  readonly name: string;
  readonly style: string;
  make(): Made;
}

/** Both choices of options under which the census is taken, as Nest's pipe has them. */
export const CHOICES: Readonly<Record<'default options' | 'implicit conversion', CompileOptions>> = {
  'default options': { whitelist: true, forbidUnknownValues: false },
  'implicit conversion': {
    whitelist: true,
    forbidUnknownValues: false,
    transformOptions: { enableImplicitConversion: true },
  },
};

/** Classes in the manner of those that stand in public programs, the same ones each time. */
export const CENSUS: readonly CensusClass[] = STYLES.flatMap(({ name: style, count, make }, which) =>
  Array.from({ length: count }, (_, at) => {
    const name = `${style} ${at + 1}`;
    return { name, style, make: () => named(name, make(new Random(which * 1000 + at), at)) };
  }),
);

function named(name: string, made: Made): Made {
  Object.defineProperty(made.type, 'name', { value: name.replaceAll(/\W/g, '') });
  return made;
}

/** Runs with one class of the census declared, so that the libraries have no other to walk through. */
export function withClass<Result>(one: CensusClass, run: (made: Made) => Result): Result {
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
    result = run(one.make());
  } catch (error) {
    forget();
    throw error;
  }
  if (result instanceof Promise) return result.finally(forget) as Result;
  forget();
  return result;
}

/** As class-validator's own, whose list is never emptied: in a program of many classes it takes ever longer to look. */
class FreshContainer {
  private readonly instances: { readonly type: unknown; readonly object: unknown }[] = [];

  get<One>(type: (new () => One) | { new: unknown }): One {
    let instance = this.instances.find((one) => one.type === type);
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

/** An input that a class likes: each of its fields with a value of its own. */
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

/** An input with wrong values, missing fields, fields that nobody declared, or fields in another order. */
export function invalidInput(made: Made, random: Random): Record<string, unknown> {
  const sent = validInput(made, random);
  for (let count = 1 + random.below(3); count > 0; count--) spoil(sent, random.pick(made.fields), random);
  if (random.chance(15)) sent['unknown'] = structuredClone(random.pick(WRONG));
  if (!random.chance(10)) return sent;
  return Object.fromEntries(random.shuffled(Object.entries(sent)));
}

function spoil(sent: Record<string, unknown>, { name }: Field, random: Random): void {
  const held = sent[name];
  if (random.chance(15)) delete sent[name];
  else if (random.chance(25) && typeof held === 'object' && held !== null) spoilInside(held, random);
  else sent[name] = structuredClone(random.pick(WRONG));
}

function spoilInside(held: object, random: Random): void {
  const names = Object.keys(held);
  if (names.length > 0) Reflect.set(held, random.pick(names), structuredClone(random.pick(WRONG)));
}
