import 'reflect-metadata';
import * as own from 'class-validator';
import * as older from 'class-validator-0.14';

/** Declares a class with the decorators of one copy of the library. */
function declare(
  copy: Pick<typeof own, 'IsDefined' | 'IsEmail' | 'IsInt' | 'IsNotEmpty' | 'IsOptional' | 'Min'>,
) {
  class Account {
    @copy.IsEmail() email!: string;
    @copy.IsInt() @copy.Min(1) age!: number;
    @copy.IsNotEmpty() @copy.IsDefined() name!: string;
    @copy.IsOptional() @copy.Min(0) score?: number;
  }
  return Account;
}

// Before anything of ours is loaded.
const CLASSES = [
  ['before the compiler was loaded', declare(own)],
  ['by another copy of class-validator', declare(older as unknown as typeof own)],
] as const;

const INPUTS = [
  { email: 'ann@example.org', age: 3, name: 'Ann' },
  { email: 'ann', age: 0, name: '', score: -1, more: 1 },
  { age: null, score: null },
];

describe('a class that was declared', () => {
  it.each(CLASSES)('%s is compiled, with the results of the library', async (_when, type) => {
    const { compileValidator } = await import('./validators/compile-validator.js');
    const { unlikeLibrary } = await import('../../testing/validation/equality.js');
    const options = { whitelist: true, forbidNonWhitelisted: true };
    for (const input of INPUTS)
      expect(await unlikeLibrary(type, options, () => structuredClone(input))).toBeUndefined();
    const { how, rules } = compileValidator(type, options).explain();
    expect([how, ...rules.map((rule) => rule.how)]).toEqual(['code', ...rules.map(() => 'written out')]);
  });
});
