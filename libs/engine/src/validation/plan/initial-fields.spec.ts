import 'reflect-metadata';
import { runInThisContext } from 'node:vm';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Max, ValidateNested } from 'class-validator';
import { unlikeLibrary } from '../../../testing/validation/equality';
import { compileValidator } from '../validators/compile-validator';
import { initialFields } from './initial-fields';

const evaluate = (source: string) => runInThisContext(`(${source})`) as new () => object;

describe('the initial fields of a class', () => {
  it.each([
    ['class A {}', {}],
    ['class { a = 1; b; c = "x"; /* d = 1; */ e = []; }', { a: 1, b: undefined, c: 'x', e: [] }],
    ['class A { constructor() { this.a = -0.5;\n this.b = void 0; } get c() { return 1; } }', { a: -0.5 }],
    ['class B extends class { a = true; } {}', { a: true }],
    ['class A { m() {} a; }', { a: undefined }],
    ['class A { m() {} a = 1; }', { a: 1 }],
    ['class A { a = 1 + globalThis.unset; }', undefined],
    ['class A { a; m() { const a = 1 + 1; } }', undefined],
    ['class A { a = Date.now(); }', undefined],
    ['class A { constructor() { this.a = 1; globalThis.touched = true; } }', undefined],
    ['class A { constructor(a) { this.a = 1; } }', undefined],
    ['class A { constructor() { this.a = 1; } set a(value) {} }', undefined],
    ['class A { a = 1; set b(value) { this.a = value; } }', undefined],
    [
      'class B extends class { set b(value) { this.a = value; } get b() { return 1; } } { a = 1; }',
      undefined,
    ],
    ['class A { a = "/*"; b = Date.now(); c = "*/"; }', undefined],
    ['class A { a = () => 1; }', undefined],
    ['class A { a; m() { this.b = 1; } }', { a: undefined }],
    ['class A { a; "b-c"; m() {} }', { a: undefined, 'b-c': undefined }],
    ['class A { a = globalThis.unset; m() {} }', undefined],
    ['class A { "a" /* = 1; */ = globalThis.unset; }', undefined],
    ['class A { ["a"] = globalThis.unset; }', undefined],
    ['class A { "constructor"() { this.a = globalThis.unset; } }', undefined],
    ['class A { constructor/**/() { this.a = globalThis.unset; } }', undefined],
    ['class A { a = globalThis.unset; constructor() {} }', undefined],
    [
      'class A { #a; b; m() { return this.#a; } static n() { return this.constructor.a; } }',
      { b: undefined },
    ],
    ['function A() { this.a = 1; }', undefined],
  ])('of %s', (source, fields) => {
    expect(initialFields(evaluate(source))).toEqual(fields);
  });

  it('are those of all its ancestors', () => {
    class Base {
      page = 1;
    }
    class Next extends Base {
      limit = 10;
      tags: string[] = [];
    }
    expect(initialFields(Next)).toEqual({ page: 1, limit: 10, tags: [] });
  });
});

class Part {
  @IsInt() n = 3;
}

class Page {
  @IsInt() @Max(100) limit = 10;
  @IsIn(['asc', 'desc']) sort = 'asc';
  @IsString() bad: unknown = 7;
  @IsOptional() @IsInt() none: unknown = null;
  @IsArray() @IsString({ each: true }) tags: unknown[] = [];
  @IsString() needed!: string;
  @IsOptional() @ValidateNested({ each: true }) @Type(() => Part) parts?: Part[];
}

const INPUTS: readonly unknown[] = [
  {},
  { needed: 'a', bad: 'b' },
  { bad: 'b', tags: [1], needed: 'a', limit: 101 },
  { limit: undefined, sort: null, bad: 'b', needed: 'c' },
  { needed: 'a', bad: 'b', parts: [{}, { n: 'x' }, { n: 4 }], extra: 1 },
  { limit: 1, sort: 'asc', bad: 'b', none: 1, tags: ['t'], needed: 'n', parts: [{}] },
];

describe('a class with initial field values', () => {
  it('is compiled', () => {
    expect(compileValidator(Page).explain().how).toBe('code');
  });

  it.each([
    {},
    { whitelist: true },
    { whitelist: true, forbidNonWhitelisted: true },
    { skipNullProperties: true, stopAtFirstError: true },
    { skipMissingProperties: true },
    { transformOptions: { exposeDefaultValues: true } },
    { transformOptions: { enableImplicitConversion: true } },
  ])('has the same results as the libraries, with %j', async (options) => {
    for (const input of INPUTS)
      expect(await unlikeLibrary(Page, options, () => structuredClone(input))).toBeUndefined();
  });

  it('is tested again if the list of a rule has changed', async () => {
    const sorts = ['asc', 'desc'];
    class Sorted {
      @IsIn(sorts) sort = 'asc';
    }
    const validator = compileValidator(Sorted);
    expect(validator.check({})).toHaveProperty('value');
    sorts.shift();
    expect(await unlikeLibrary(Sorted, {}, () => ({}), validator)).toBeUndefined();
    expect(validator.check({})).toHaveProperty('errors');
  });
});

describe('a field whose initial value is the result of a call', () => {
  it('is validated, also if it was undefined when the class was compiled', async () => {
    const ambient: { value: unknown } = { value: undefined };
    vi.stubGlobal('ambient', ambient);
    const Author = evaluate('class Author { id = ambient.value; describe() {} }');
    IsInt()(Author.prototype, 'id');
    IsOptional()(Author.prototype, 'id');
    const validator = compileValidator(Author);
    expect(validator.check({})).toHaveProperty('value');
    ambient.value = 'nobody';
    expect(await unlikeLibrary(Author, {}, () => ({}), validator)).toBeUndefined();
    expect(validator.check({})).toHaveProperty('errors');
  });
});

describe('a field without decorators of the libraries', () => {
  it('is converted by the type that another decorator made the compiler note', async () => {
    class Noted {
      @IsString() name!: string;
      @Reflect.metadata('of', 'another library') count!: number;
    }
    const options = { transformOptions: { enableImplicitConversion: true } };
    const makeInput = () => ({ name: 'a', count: '7', other: '7' });
    expect(await unlikeLibrary(Noted, options, makeInput)).toBeUndefined();
    const expected = Object.assign(new Noted(), { name: 'a', count: 7, other: '7' });
    expect(compileValidator(Noted, options).check(makeInput())).toEqual({ value: expected });
  });
});
