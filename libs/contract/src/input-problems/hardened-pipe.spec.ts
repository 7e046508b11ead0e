import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDefined,
  IsEmail,
  IsOptional,
  IsString,
  Matches,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { ValidationPipe, type ValidationPipeOptions } from '@app/engine';
import { ListQuery, postText, refusal, serve, type Served } from '@app/engine/testing';
import { invalidInput } from './invalid-input';

class UserCreate {
  @IsEmail()
  email!: string;

  @MinLength(8)
  password!: string;
}

class Names {
  @MinLength(2)
  firstName!: string;

  @MinLength(2)
  lastName!: string;

  fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}

class OrderItem {
  @IsString()
  sku!: string;

  @MinLength(1)
  quantity!: string;

  total(): number {
    return 0;
  }
}

class CreateOrder {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => OrderItem)
  items!: OrderItem[];
}

class CreatePost {
  @Matches(/^[a-z0-9-]+$/, { message: '$property must be lowercase letters, digits, and dashes only' })
  slug!: string;
}

class Trimmed {
  @IsString()
  @Transform(({ value }: { value: string }) => value.trim())
  name!: string;
}

class Address {
  @IsString()
  street!: string;
}

class Parcel {
  @IsDefined()
  @ValidateNested()
  @Type(() => Address)
  to!: Address;

  @ValidateIf(() => false)
  @ValidateNested()
  @Type(() => Address)
  unchecked?: Address;
}

class Switch {
  @IsBoolean()
  isOn!: boolean;
}

class Search {
  @IsOptional()
  @IsString()
  text?: string;
}

class PostsQuery extends ListQuery {}

@Controller()
class TestController {
  @Post('users')
  createUser(@Body() body: UserCreate) {
    return { got: body, isInstance: body instanceof UserCreate };
  }

  @Post('names')
  name(@Body() body: Names) {
    return { fullName: typeof body.fullName === 'function' ? body.fullName() : 'no method' };
  }

  @Post('orders')
  order(@Body() body: CreateOrder) {
    return { body, isInstance: body.items[0] instanceof OrderItem };
  }

  @Post('posts')
  post(@Body() body: CreatePost) {
    return body;
  }

  @Post('trimmed')
  trimmed(@Body() body: Trimmed) {
    return body;
  }

  @Post('parcels')
  parcel(@Body() body: Parcel) {
    return body;
  }

  @Post('searches')
  search(@Body() body: Search) {
    return body;
  }

  @Post('switches')
  turn(@Body() body: Switch) {
    return body;
  }

  @Get('items')
  items(@Query() query: ListQuery) {
    return query;
  }

  @Get('heirs')
  heirs(@Query() query: PostsQuery) {
    return query;
  }

  @Get('raw/:id')
  raw(@Param('id') id: number, @Query('isOn') isOn: boolean, @Query('n') n: number) {
    return { id, isOn, n };
  }
}

const strict = { whitelist: true, forbidNonWhitelisted: true, transform: true };

function served(options: ValidationPipeOptions): () => Served {
  let api: Served;
  beforeAll(async () => {
    api = await serve([TestController], new ValidationPipe(options));
  });
  afterAll(() => api.close());
  return () => api;
}

describe('single primitives', () => {
  const api = served({ ...strict, hardened: true, keepPrimitives: true });

  it('are left as they were sent, if the pipe has the option', async () => {
    expect(await api().get('/raw/010?isOn=false&n=1e1')).toEqual({
      status: 200,
      body: { id: '010', isOn: 'false', n: '1e1' },
    });
  });
});

describe('fields named like a member of their class', () => {
  const api = served({ ...strict, hardened: true });
  const item = { sku: 'a', quantity: '1' };

  it.each([
    'toString',
    'valueOf',
    'hasOwnProperty',
    'isPrototypeOf',
    '__defineGetter__',
    'prototype',
    'then',
  ])('are unknown fields: %s', async (name) => {
    const result = await api().post('/names', { firstName: 'Ann', [name]: 1, lastName: 'Lee' });
    expect(result).toEqual(refusal(`property ${name} should not exist`));
  });

  it('are unknown fields: a method', async () => {
    const result = await api().post('/names', { firstName: 'Ann', lastName: 'Lee', fullName: 'x' });
    expect(result).toEqual(refusal('property fullName should not exist'));
  });

  it('are unknown fields: a getter, inherited or not', async () => {
    expect(await api().get('/items?offset=1')).toEqual(refusal('property offset should not exist'));
    expect(await api().get('/heirs?offset=1')).toEqual(refusal('property offset should not exist'));
  });

  it('are found at every level', async () => {
    const result = await api().post('/orders', { items: [item, { ...item, total: 1, toString: 1 }] });
    expect(result).toEqual(
      refusal('items.1.property total should not exist', 'items.1.property toString should not exist'),
    );
  });

  it('are reported among other unknown fields in the order of the input', async () => {
    const result = await api().post('/names', {
      zz: 1,
      toString: 1,
      firstName: 'Ann',
      fullName: 1,
      aa: 1,
      lastName: 'Lee',
    });
    expect(result).toEqual(
      refusal(
        'property zz should not exist',
        'property toString should not exist',
        'property fullName should not exist',
        'property aa should not exist',
      ),
    );
  });
});

describe('hardening', () => {
  const api = served({ ...strict, hardened: true });
  const converting = served({
    ...strict,
    hardened: true,
    transformOptions: { enableImplicitConversion: true },
  });

  it('rejects an object that cannot be converted to a string or a number', async () => {
    expect(await converting().post('/posts', { slug: { toString: 1, valueOf: 1 } })).toMatchObject({
      status: 400,
    });
  });

  it('rejects unpaired surrogates, with their path', async () => {
    const result = await postText(api(), '/users', '{"email":"a\\ud800@b.co","password":"12345678"}');
    expect(result).toEqual(refusal('email must be well-formed Unicode text'));
    const nested = await postText(api(), '/orders', '{"items":[{"sku":"\\udc00"}]}');
    expect(nested).toEqual(refusal('items.0.sku must be well-formed Unicode text'));
  });

  it('rejects the name of a field with an unpaired surrogate', async () => {
    const result = await postText(api(), '/users', '{"\\ud800":1}');
    expect(result).toEqual(refusal('the name of a field must be well-formed Unicode text'));
  });

  it('rejects input that is nested too deep', async () => {
    const result = await postText(api(), '/orders', `{"items":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    expect(result).toEqual(refusal('the input must not be nested more than 32 levels deep'));
  });

  it('rejects too many fields and objects', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 1]));
    expect(await api().post('/users', fields)).toEqual(
      refusal('the input must not hold more than 1000 fields in one object'),
    );
    const items = Array.from({ length: 5000 }, () => ({}));
    expect(await api().post('/orders', { items })).toEqual(
      refusal('the input must not hold more than 5000 objects'),
    );
  });

  it('rejects a list in place of an object', async () => {
    const message = 'items.each value in nested property items must be an object';
    expect(await api().post('/orders', { items: [{ sku: 'a', quantity: '1' }, []] })).toEqual(
      refusal(message),
    );
    expect(await api().post('/orders', { items: [[{ sku: 'a', quantity: '1' }]] })).toEqual(refusal(message));
    expect(await api().post('/parcels', { to: { street: 'x' } })).toMatchObject({ status: 201 });
    expect(await api().post('/parcels', { to: { street: 'x' }, unchecked: [] })).toMatchObject({
      status: 201,
    });
    expect(await api().post('/parcels', { to: [] })).toEqual(refusal('nested property to must be an object'));
  });

  it('converts only true and false to a boolean', async () => {
    expect(await converting().post('/switches', { isOn: 'false' })).toEqual({
      status: 201,
      body: { isOn: false },
    });
    expect(await converting().post('/switches', { isOn: true })).toEqual({
      status: 201,
      body: { isOn: true },
    });
    for (const isOn of ['no', '', 'TRUE', 0, {}]) {
      expect(await converting().post('/switches', { isOn })).toEqual(refusal('isOn must be a boolean value'));
    }
  });

  it('rejects an input at which a transform of the class throws', async () => {
    expect(await api().post('/trimmed', { name: ' Ann ' })).toEqual({ status: 201, body: { name: 'Ann' } });
    expect(await api().post('/trimmed', { name: [] })).toEqual(refusal('the input cannot be read'));
  });

  it.each(['null', '[]', '"text"', '7', 'true', '[[]]', '[null]'])(
    'rejects a body that is %s',
    async (text) => {
      for (const url of ['/users', '/orders', '/names', '/parcels', '/searches']) {
        expect(await postText(api(), url, text)).toMatchObject({ status: 400 });
      }
    },
  );
});

describe('a hardened pipe', () => {
  it('does not start with functions that the compiled ones would not call', () => {
    class Overriding extends ValidationPipe {
      protected override toValidate(): boolean {
        return true;
      }
    }
    expect(() => new Overriding({ hardened: true })).toThrow(TypeError);
    const validatorPackage = { validate: () => [] };
    expect(() => new ValidationPipe({ hardened: true, validatorPackage })).toThrow(TypeError);
    expect(() => new Overriding()).not.toThrow();
  });

  it('rejects bytes in place of a nested object', async () => {
    const pipe = new ValidationPipe({ ...strict, hardened: true, exceptionFactory: invalidInput });
    const rejected = pipe.transform({ to: Buffer.alloc(0) }, { type: 'body', metatype: Parcel });
    await expect(rejected).rejects.toMatchObject({
      reply: { message: ['nested property to must be an object'] },
    });
  });
});

describe('our applications', () => {
  const pipe = new ValidationPipe({ ...strict, hardened: true, exceptionFactory: invalidInput });
  const parameter = { type: 'body', metatype: CreateOrder } as const;

  it('get both forms of the reply', async () => {
    const refused = pipe.transform({ items: [{ sku: 7, quantity: '' }], toString: 1 }, parameter);
    await expect(refused).rejects.toMatchObject({
      reply: {
        status: 400,
        message: [
          'property toString should not exist',
          'items.0.sku must be a string',
          'items.0.quantity must be longer than or equal to 1 characters',
        ],
        details: [
          { field: 'toString', messages: ['property toString should not exist'] },
          { field: 'items.0.sku', messages: ['sku must be a string'] },
          { field: 'items.0.quantity', messages: ['quantity must be longer than or equal to 1 characters'] },
        ],
      },
    });
  });

  it('get both forms for errors of hardening too', async () => {
    await expect(pipe.transform({ items: [{ sku: '\ud800' }] }, parameter)).rejects.toMatchObject({
      reply: {
        message: ['items.0.sku must be well-formed Unicode text'],
        details: [{ field: 'items.0.sku', messages: ['sku must be well-formed Unicode text'] }],
      },
    });
  });
});
