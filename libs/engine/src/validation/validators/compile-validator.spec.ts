import 'reflect-metadata';
import { runInNewContext } from 'node:vm';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationError,
} from 'class-validator';
import { compileValidator } from './compile-validator';

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
  @IsIn(['new', 'paid']) state!: string;
}

class Own {
  @ValidateIf((own: Own) => own.kind === 'a') @IsInt() count!: number;
  @ValidateBy({ name: 'isInt', validator: { validate: (value) => value !== 1 } }) kind!: unknown;
  @Transform(({ value }) => String(value)) @IsString() text!: string;
}

const strict = { whitelist: true, forbidNonWhitelisted: true };

describe('a compiled validator', () => {
  it('returns an instance synchronously', () => {
    const result = compileValidator(UserCreate, strict).check({ email: 'a@b.co', password: '12345678' });
    expect(result).toEqual({ value: { email: 'a@b.co', password: '12345678' } });
    expect((result as { value: object }).value).toBeInstanceOf(UserCreate);
  });

  it('returns the errors of class-validator', () => {
    const result = compileValidator(UserCreate, strict).check({ email: 'a@b', extra: 1 });
    const constraints = (result as { errors: { constraints: unknown }[] }).errors.map(
      (error) => error.constraints,
    );
    expect(constraints).toEqual([
      { whitelistValidation: 'property extra should not exist' },
      { isEmail: 'email must be an email' },
      { minLength: 'password must be longer than or equal to 8 characters' },
    ]);
  });

  it('hides the value of an error that has nested errors only', () => {
    const value = { items: [{ sku: 'a', quantity: 0 }], state: 'lost' };
    const valuesOf = (hidesParentValues: boolean) => {
      const result = compileValidator(Order, { hidesParentValues }).check(value);
      const [items, state] = (result as { errors: ValidationError[] }).errors;
      const [element] = items?.children ?? [];
      return [items, element, element?.children?.[0], state].map((error) => error && 'value' in error);
    };
    expect(valuesOf(true)).toEqual([false, false, true, true]);
    expect(valuesOf(false)).toEqual([true, true, true, true]);
  });

  it('returns a promise only for asynchronous rules', async () => {
    class Late {
      @ValidateBy({ name: 'late', validator: { validate: (value) => Promise.resolve(value === 1) } })
      late!: number;
    }
    const result = compileValidator(Late).check({ late: 1 });
    expect(result).toBeInstanceOf(Promise);
    await expect(result).resolves.toEqual({ value: { late: 1 } });
    expect(compileValidator(Late, { ignoreAsync: true }).check({ late: 2 })).toEqual({ value: { late: 2 } });
  });

  it('recompiles when a decorator runs later', () => {
    class Growing {
      @IsString() name!: string;
    }
    const validator = compileValidator(Growing, strict);
    expect(validator.check({ name: 'a' })).toHaveProperty('value');
    MinLength(3)(Growing.prototype, 'name');
    expect(validator.check({ name: 'a' })).toHaveProperty('errors');
  });

  it('returns the same as the libraries for objects of another realm', () => {
    const foreign: unknown = runInNewContext(`({ email: 'a@b.co', password: '12345678' })`);
    expect(compileValidator(UserCreate, strict).check(foreign)).toHaveProperty('value');
  });

  it('returns the same whatever was validated before', () => {
    const validator = compileValidator(Item, strict);
    const good = { sku: 'a', quantity: 1 };
    for (const before of [good, { sku: 1 }, null, [], { ...good, extra: 1 }, { quantity: 2, sku: 'b' }]) {
      try {
        void validator.check(before);
      } catch {
        // As the libraries do for nothing at all.
      }
      expect(validator.check(good)).toEqual({ value: good });
      expect(validator.check({ sku: 'a' })).toHaveProperty('errors');
      expect(validator.check({ quantity: 2, sku: 'b' })).toEqual({ value: { quantity: 2, sku: 'b' } });
    }
  });

  it('keeps the order of the input’s keys', () => {
    const validator = compileValidator(Item, strict);
    for (const value of [
      { quantity: 1, sku: 'a' },
      { sku: 'a', quantity: 1 },
    ])
      expect(Object.keys((validator.check(value) as { value: object }).value)).toEqual(Object.keys(value));
  });
});

describe('the explanation of a class', () => {
  it.each([UserCreate, Order, Own])('has the generated code of %o', async (type) => {
    const { how, source } = compileValidator<object>(type, strict).explain();
    expect(how).toBe('code');
    await expect(source).toMatchFileSnapshot(`./snapshots/${type.name}.js.txt`);
  });

  it('lists every rule, and why the library is called', () => {
    expect(compileValidator(Own).explain()).toMatchObject({
      how: 'code',
      why: undefined,
      rules: [
        { property: 'Own.count', rule: 'ValidateIf', how: 'called as by the library' },
        { property: 'Own.count', rule: 'IsInt', how: 'written out' },
        { property: 'Own.kind', rule: 'isInt', how: 'called as by the library' },
        { property: 'Own.text', rule: 'IsString', how: 'written out' },
      ],
    });
  });

  it('reports that an option is not compiled', () => {
    expect(compileValidator(Order, { enableDebugMessages: true }).explain()).toMatchObject({
      how: 'library',
    });
  });
});
