import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsEmail,
  IsOptional,
  IsString,
  Matches,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { serve, type Served } from '../../testing';
import { inGroups } from '../groups';
import { invalidInput } from '../invalid-input';
import { ById } from '../rules/by-id';
import { PaginationQuery } from '../rules/pagination-query';
import { ValidationPipe, type ValidationPipeOptions } from './validation.pipe';

class UserCreate {
  @IsEmail()
  email!: string;

  @MinLength(8)
  password!: string;
}

class UserDto {
  @IsEmail({}, { groups: ['create', 'update'] })
  email!: string;

  @IsOptional({ groups: ['update'] })
  @MinLength(8, { groups: ['create', 'update'] })
  password?: string;

  @IsString()
  groupless?: string;
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

class UntypedOrder {
  @IsArray()
  @Allow()
  items!: OrderItem[];
}

class CreatePost {
  @Matches(/^[a-z0-9-]+$/, { message: '$property must be lowercase letters, digits, and dashes only' })
  slug!: string;
}

class Flag {
  @IsBoolean()
  isOn!: boolean;
}

class Trimmed {
  @IsString()
  @Transform(({ value }: { value: string }) => value.trim())
  name!: string;
}

class PostsQuery extends PaginationQuery {}

@Controller()
class TestController {
  @Post('users')
  createUser(@Body() body: UserCreate) {
    return { got: body, isInstance: body instanceof UserCreate };
  }

  @Post('users/create')
  create(@Body(inGroups(UserDto, 'create')) body: UserDto) {
    return body;
  }

  @Post('users/update')
  update(@Body(inGroups(UserDto, 'update')) body: UserDto) {
    return body;
  }

  @Post('names')
  name(@Body() body: Names) {
    return { fullName: typeof body.fullName === 'function' ? body.fullName() : 'no method' };
  }

  @Post('orders')
  order(@Body() body: CreateOrder) {
    return { body, isInstance: body.items[0] instanceof OrderItem };
  }

  @Post('orders/untyped')
  untyped(@Body() body: UntypedOrder) {
    return { body, isInstance: body.items[0] instanceof OrderItem };
  }

  @Post('posts')
  post(@Body() body: CreatePost) {
    return body;
  }

  @Post('flags')
  flag(@Body() body: Flag) {
    return body;
  }

  @Post('anything')
  anything(@Body() body: Record<string, unknown>) {
    return body;
  }

  @Post('trimmed')
  trimmed(@Body() body: Trimmed) {
    return body;
  }

  @Get('items')
  items(@Query() query: PaginationQuery) {
    return query;
  }

  @Get('heirs')
  heirs(@Query() query: PostsQuery) {
    return query;
  }

  @Get('things/:id')
  thing(@Param() { id }: ById) {
    return { id };
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

/** Sends a body as text, for what JSON.stringify would not write. */
async function postText(api: Served, url: string, payload: string) {
  const answer = await api.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.statusCode, body: answer.json<unknown>() };
}

function refusal(...message: string[]) {
  return { status: 400, body: { message, error: 'Bad Request', statusCode: 400 } };
}

describe('the rules of the validation pipe', () => {
  describe('with stripping', () => {
    const api = served({ whitelist: true });

    it('1: removes fields without a rule before the handler sees the body', async () => {
      const answer = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(answer.body).toEqual({ got: { email: 'a@b.co', password: '12345678' }, isInstance: false });
    });

    it('1: removes fields named like members, too', async () => {
      const answer = await api().post('/names', {
        firstName: 'Ann',
        lastName: 'Lee',
        toString: 1,
        fullName: 2,
      });
      expect(answer.status).toBe(201);
    });
  });

  describe('with rejection', () => {
    const api = served(strict);

    it('2: names the unknown field', async () => {
      const answer = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(answer).toEqual(refusal('property isAdmin should not exist'));
    });

    it('6: leaves a parameter alone that has no decorated class', async () => {
      expect(await api().post('/anything', { a: 1 })).toEqual({ status: 201, body: { a: 1 } });
    });

    it('4: makes an instance, with its methods', async () => {
      const answer = await api().post('/names', { firstName: 'Ann', lastName: 'Lee' });
      expect(answer.body).toEqual({ fullName: 'Ann Lee' });
    });
  });

  describe('without stripping', () => {
    const api = served({});

    it('3: lets unknown fields pass', async () => {
      const answer = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(answer.body).toMatchObject({ got: { isAdmin: true } });
    });

    it('4: gives the handler a plain object without methods', async () => {
      const answer = await api().post('/names', { firstName: 'Ann', lastName: 'Lee' });
      expect(answer.body).toEqual({ fullName: 'no method' });
    });
  });

  describe('with implicit conversion', () => {
    const api = served({ ...strict, transformOptions: { enableImplicitConversion: true } });

    it('5: makes any non-empty string true', async () => {
      expect(await api().post('/flags', { isOn: 'anything' })).toEqual({ status: 201, body: { isOn: true } });
    });

    it('still takes only digits for a whole number', async () => {
      expect(await api().get('/items?limit=1e1')).toMatchObject({ status: 400 });
      expect(await api().get('/items?limit=20')).toMatchObject({ body: { limit: 20 } });
    });
  });
});

describe('messages', () => {
  const api = served(strict);

  it('stand in the order of class-validator', async () => {
    expect(await api().post('/users', { extra: 1 })).toEqual(
      refusal(
        'property extra should not exist',
        'email must be an email',
        'password must be longer than or equal to 8 characters',
      ),
    );
  });

  it('carry the path of a nested field', async () => {
    expect(
      await api().post('/orders', {
        items: [
          { sku: 'a', quantity: '1' },
          { sku: 7, quantity: '' },
        ],
      }),
    ).toEqual(
      refusal(
        'items.1.sku must be a string',
        'items.1.quantity must be longer than or equal to 1 characters',
      ),
    );
  });

  it('speak of elements that are no objects', async () => {
    expect(await api().post('/orders', { items: ['a', null, 7] })).toMatchObject({ status: 400 });
    expect(await api().post('/orders', { items: {} })).toMatchObject({ status: 400 });
  });

  it('can be a sentence of the class', async () => {
    expect(await api().post('/posts', { slug: 'Not OK' })).toEqual(
      refusal('slug must be lowercase letters, digits, and dashes only'),
    );
  });
});

describe('nested elements', () => {
  const api = served(strict);

  it('become instances where their class is declared', async () => {
    const answer = await api().post('/orders', { items: [{ sku: 'a', quantity: '1' }] });
    expect(answer.body).toMatchObject({ isInstance: true });
  });

  it('stay plain, their rules unrun, where it is not', async () => {
    const answer = await api().post('/orders/untyped', { items: [{ sku: 7 }] });
    expect(answer).toEqual({ status: 201, body: { body: { items: [{ sku: 7 }] }, isInstance: false } });
  });
});

describe('suppression', () => {
  const api = served({ ...strict, disableErrorMessages: true });

  it('hides what is wrong', async () => {
    expect(await api().post('/users', {})).toEqual({
      status: 400,
      body: { message: 'Bad Request', statusCode: 400 },
    });
  });
});

describe('groups', () => {
  const api = served(strict);

  it('ask for a password under create', async () => {
    expect(await api().post('/users/create', { email: 'a@b.co' })).toEqual(
      refusal('password must be longer than or equal to 8 characters'),
    );
  });

  it('do not ask for it under update', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co' })).toMatchObject({ status: 201 });
  });

  it('hold a given password to its length under update', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co', password: 'short' })).toEqual(
      refusal('password must be longer than or equal to 8 characters'),
    );
  });

  it('leave out rules without a group, so that their field is unknown', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co', groupless: 'x' })).toEqual(
      refusal('property groupless should not exist'),
    );
  });

  it('do not leak from one call into another that runs beside it', async () => {
    const answers = await Promise.all([
      api().post('/users/update', { email: 'a@b.co' }),
      api().post('/users/create', { email: 'a@b.co' }),
      api().post('/users/update', { email: 'a@b.co' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 201]);
  });
});

describe('single primitives', () => {
  const api = served({ ...strict, hardened: true });

  it('arrive as they were sent', async () => {
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
    const answer = await api().post('/names', { firstName: 'Ann', [name]: 1, lastName: 'Lee' });
    expect(answer).toEqual(refusal(`property ${name} should not exist`));
  });

  it('are unknown fields: a method', async () => {
    const answer = await api().post('/names', { firstName: 'Ann', lastName: 'Lee', fullName: 'x' });
    expect(answer).toEqual(refusal('property fullName should not exist'));
  });

  it('are unknown fields: a getter, inherited or not', async () => {
    expect(await api().get('/items?offset=1')).toEqual(refusal('property offset should not exist'));
    expect(await api().get('/heirs?offset=1')).toEqual(refusal('property offset should not exist'));
  });

  it('are found at every level', async () => {
    const answer = await api().post('/orders', { items: [item, { ...item, total: 1, toString: 1 }] });
    expect(answer).toEqual(
      refusal('items.1.property total should not exist', 'items.1.property toString should not exist'),
    );
  });

  it('stand among other unknown fields in the order of the input', async () => {
    const answer = await api().post('/names', {
      zz: 1,
      toString: 1,
      firstName: 'Ann',
      fullName: 1,
      aa: 1,
      lastName: 'Lee',
    });
    expect(answer).toEqual(
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

  it('refuses an object that cannot be made a text or a number', async () => {
    expect(await converting().post('/posts', { slug: { toString: 1, valueOf: 1 } })).toMatchObject({
      status: 400,
    });
  });

  it('refuses lone surrogates, in place', async () => {
    const answer = await postText(api(), '/users', '{"email":"a\\ud800@b.co","password":"12345678"}');
    expect(answer).toEqual(refusal('email must be well-formed Unicode text'));
    const nested = await postText(api(), '/orders', '{"items":[{"sku":"\\udc00"}]}');
    expect(nested).toEqual(refusal('items.0.sku must be well-formed Unicode text'));
  });

  it('refuses the name of a field that is no text', async () => {
    const answer = await postText(api(), '/users', '{"\\ud800":1}');
    expect(answer).toEqual(refusal('the name of a field must be well-formed Unicode text'));
  });

  it('refuses what is nested too deep', async () => {
    const answer = await postText(api(), '/orders', `{"items":${'['.repeat(5000)}${']'.repeat(5000)}}`);
    expect(answer).toEqual(refusal('the input must not be nested more than 32 levels deep'));
  });

  it('refuses more fields and objects than anyone needs', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 1]));
    expect(await api().post('/users', fields)).toEqual(
      refusal('the input must not hold more than 1000 fields in one object'),
    );
    const items = Array.from({ length: 5000 }, () => ({}));
    expect(await api().post('/orders', { items })).toEqual(
      refusal('the input must not hold more than 5000 objects'),
    );
  });

  it('refuses an input at which a transform of the class throws', async () => {
    expect(await api().post('/trimmed', { name: ' Ann ' })).toEqual({ status: 201, body: { name: 'Ann' } });
    expect(await api().post('/trimmed', { name: [] })).toEqual(refusal('the input cannot be read'));
  });

  it.each(['null', '[]', '"text"', '7', 'true', '[[]]', '[null]'])(
    'answers a body that is %s',
    async (text) => {
      for (const url of ['/users', '/orders', '/names', '/users/create']) {
        expect(await postText(api(), url, text)).toMatchObject({ status: 400 });
      }
    },
  );
});

describe('our applications', () => {
  const pipe = new ValidationPipe({ ...strict, hardened: true, exceptionFactory: invalidInput });
  const parameter = { type: 'body', metatype: CreateOrder } as const;

  it('are given both forms of the answer', async () => {
    const refused = pipe.transform({ items: [{ sku: 7, quantity: '' }], toString: 1 }, parameter);
    await expect(refused).rejects.toMatchObject({
      answer: {
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

  it('are given the same for what hardening refuses', async () => {
    await expect(pipe.transform({ items: [{ sku: '\ud800' }] }, parameter)).rejects.toMatchObject({
      answer: {
        message: ['items.0.sku must be well-formed Unicode text'],
        details: [{ field: 'items.0.sku', messages: ['sku must be well-formed Unicode text'] }],
      },
    });
  });
});
