import 'reflect-metadata';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import * as engine from './drop-in';

/** Whether two types are the same one, and not merely assignable. */
type Same<One, Other> =
  (<T>(value: T) => T extends One ? 1 : 2) extends <T>(value: T) => T extends Other ? 1 : 2 ? true : false;

/** The names whose types differ from those of a library. */
type Different<Library> = {
  [Name in keyof Library]: Name extends keyof typeof engine
    ? Same<Library[Name], (typeof engine)[Name]> extends true
      ? never
      : Name
    : Name;
}[keyof Library];

/** The functions and classes that are compiled; everything else is the library's own. */
const compiled = [
  'ClassTransformer',
  'TransformInstanceToPlain',
  'TransformPlainToInstance',
  'Validator',
  'classToPlain',
  'deserialize',
  'deserializeArray',
  'instanceToPlain',
  'plainToClass',
  'plainToInstance',
  'serialize',
  'validate',
  'validateOrReject',
  'validateSync',
];

const packages = [
  ['class-validator', classValidator],
  ['class-transformer', classTransformer],
] as const;

describe('the package', () => {
  it('has every type of the libraries: this file does not compile otherwise', () => {
    expectTypeOf<Different<typeof classValidator>>().toBeNever();
    expectTypeOf<Different<typeof classTransformer>>().toBeNever();
    expectTypeOf<Different<{ validate: () => void; unknownName: string }>>().toEqualTypeOf<
      'validate' | 'unknownName'
    >();
  });

  it.each(packages)('exports every name of %s: compiled, or its own', (_name, library) => {
    const own = Object.entries(library).filter(([name]) => !compiled.includes(name) && name !== 'default');
    expect(own.length).toBeGreaterThan(5);
    for (const [name, value] of own) expect([name, Reflect.get(engine, name)]).toEqual([name, value]);
  });

  it('compiles the functions that validate and convert', () => {
    const libraries = { ...classValidator, ...classTransformer };
    for (const name of compiled) {
      expect(Reflect.get(engine, name)).toBeTypeOf('function');
      expect([name, Reflect.get(engine, name) === Reflect.get(libraries, name)]).toEqual([name, false]);
    }
  });

  it('has all of both libraries, with the compiled functions', () => {
    expect(Object.keys(engine.validatorPackage)).toEqual(Object.keys(classValidator));
    expect(Object.keys(engine.transformerPackage)).toEqual(Object.keys(classTransformer));
    expect(engine.validatorPackage.validate).toBe(engine.validate);
    expect(engine.transformerPackage.plainToClass).toBe(engine.plainToClass);
  });

  it('says what is compiled of a class, in both directions', () => {
    class Told {
      @engine.IsInt() count!: number;
    }
    const { input, output } = engine.explain(Told);
    expect(input).toMatchObject({ how: 'code', rules: [{ property: 'Told.count', how: 'written out' }] });
    expect(output).toMatchObject({ mode: 'generated', classes: [{ name: 'Told' }] });
  });
});
