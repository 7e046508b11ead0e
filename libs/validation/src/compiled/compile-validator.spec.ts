import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { unlikeLibrary } from '../../testing/equality';

class UserCreate {
  @IsEmail() email!: string;
  @MinLength(8) password!: string;
}

class Item {
  @IsString() sku!: string;
  @IsInt() @Min(1) quantity!: number;
}

class Order {
  @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
  @IsOptional() @Length(1, 5) note?: string;
}

const strict = { whitelist: true, forbidNonWhitelisted: true, ignoreAsync: true };

describe('compiled', () => {
  it.each([{}, { email: 'a@b.co', password: '12345678' }, { email: 1, extra: 2 }, [], null, 1, [{}]])(
    '%j is like',
    async (value) => {
      for (const options of [
        {},
        strict,
        { ...strict, stopAtFirstError: true },
        { whitelist: true, ignoreAsync: true },
      ])
        expect(await unlikeLibrary(UserCreate, options, () => structuredClone(value))).toBe(undefined);
    },
  );
  it.each([
    { items: [] },
    { items: [{ sku: '1', quantity: 2 }] },
    { items: [{ sku: '1', quantity: 0, x: 2 }, null, 'a'], note: '' },
    { items: {} },
  ])('%j is like', async (value) => {
    for (const options of [
      strict,
      { ...strict, stopAtFirstError: true },
      { whitelist: true, ignoreAsync: true },
    ])
      expect(await unlikeLibrary(Order, options, () => structuredClone(value))).toBe(undefined);
  });
});
