import 'reflect-metadata';
import { Expose, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { unlikeLibrary } from '../../../testing/validation/equality';
import { compileValidator } from './compile-validator';

class Part {
  @Expose() @IsInt() n!: number;
  @Expose() @IsOptional() m: unknown = 1;
}

class View {
  @IsOptional() first?: string;
  @Expose() @IsString() name!: string;
  @Expose() @IsOptional() @IsString() nick: unknown = 'none';
  @Expose() @IsOptional() @IsDate() @Type(() => Date) at?: Date;
  @Expose() @IsOptional() @ValidateNested({ each: true }) @Type(() => Part) parts?: Part[];
}

class Narrow {
  @Expose({ groups: ['a'] }) @IsOptional() a?: string;
}

const hidden = Object.defineProperty({ name: 'a' }, 'nick', { value: 7 });

const INPUTS: readonly (() => unknown)[] = [
  () => ({}),
  () => ({ name: 'a' }),
  () => ({ parts: [{ n: 1 }, { m: 2, n: 1 }, { n: 'x' }], name: 'a', first: 'f' }),
  () => ({ first: 'f', name: 'a', nick: 'n', at: '2020-01-01', parts: [] }),
  () => ({ first: 'f', name: 1, nick: undefined, at: 'x', parts: [{ m: 1, extra: 1 }], extra: 1 }),
  () => ({ extra: 1, name: 'a' }),
  () => hidden,
];

describe('a class with exposed properties', () => {
  it('is compiled, also with conditions', () => {
    expect(compileValidator(View).explain().how).toBe('code');
    expect(compileValidator(Narrow).explain().how).toBe('code');
  });

  it.each([
    {},
    { whitelist: true },
    { whitelist: true, forbidNonWhitelisted: true },
    { stopAtFirstError: true, skipUndefinedProperties: true },
    { transformOptions: { groups: ['a'], version: 1 } },
    { transformOptions: { exposeUnsetFields: false } },
    { transformOptions: { exposeUnsetFields: undefined } },
  ])('has the same results as the libraries, with %j', async (options) => {
    for (const makeInput of INPUTS) expect(await unlikeLibrary(View, options, makeInput)).toBeUndefined();
  });
});
