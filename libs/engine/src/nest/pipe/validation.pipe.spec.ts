import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
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
import { refusal, serve, type Served } from '../../../testing/validation/serve';
import { inGroups } from '../../validation/validators/groups';
import { ListQuery } from '../../../testing/validation/list-query';
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

  @Get('items')
  items(@Query() query: ListQuery) {
    return query;
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

describe('the rules of the validation pipe', () => {
  describe('with stripping', () => {
    const api = served({ whitelist: true });

    it('1: removes fields without a rule before the handler runs', async () => {
      const result = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(result.body).toEqual({ got: { email: 'a@b.co', password: '12345678' }, isInstance: false });
    });

    it('1: removes fields named like members, too', async () => {
      const result = await api().post('/names', {
        firstName: 'Ann',
        lastName: 'Lee',
        toString: 1,
        fullName: 2,
      });
      expect(result.status).toBe(201);
    });
  });

  describe('with rejection', () => {
    const api = served(strict);

    it('2: reports the unknown field', async () => {
      const result = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(result).toEqual(refusal('property isAdmin should not exist'));
    });

    it('6: does not change a parameter without a decorated class', async () => {
      expect(await api().post('/anything', { a: 1 })).toEqual({ status: 201, body: { a: 1 } });
    });

    it('4: creates an instance, with its methods', async () => {
      const result = await api().post('/names', { firstName: 'Ann', lastName: 'Lee' });
      expect(result.body).toEqual({ fullName: 'Ann Lee' });
    });
  });

  describe('without stripping', () => {
    const api = served({});

    it('3: accepts unknown fields', async () => {
      const result = await api().post('/users', { email: 'a@b.co', password: '12345678', isAdmin: true });
      expect(result.body).toMatchObject({ got: { isAdmin: true } });
    });

    it('4: passes the handler a plain object without methods', async () => {
      const result = await api().post('/names', { firstName: 'Ann', lastName: 'Lee' });
      expect(result.body).toEqual({ fullName: 'no method' });
    });
  });

  describe('with implicit conversion', () => {
    const api = served({ ...strict, transformOptions: { enableImplicitConversion: true } });

    it('5: converts any non-empty string to true', async () => {
      expect(await api().post('/flags', { isOn: 'anything' })).toEqual({ status: 201, body: { isOn: true } });
    });

    it('still converts only digits to an integer', async () => {
      expect(await api().get('/items?limit=1e1')).toMatchObject({ status: 400 });
      expect(await api().get('/items?limit=20')).toMatchObject({ body: { limit: 20 } });
    });
  });
});

describe('messages', () => {
  const api = served(strict);

  it('have the order of class-validator', async () => {
    expect(await api().post('/users', { extra: 1 })).toEqual(
      refusal(
        'property extra should not exist',
        'email must be an email',
        'password must be longer than or equal to 8 characters',
      ),
    );
  });

  it('have the path of a nested field', async () => {
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

  it('report elements that are not objects', async () => {
    expect(await api().post('/orders', { items: ['a', null, 7] })).toMatchObject({ status: 400 });
    expect(await api().post('/orders', { items: {} })).toMatchObject({ status: 400 });
  });

  it('can be declared by the class', async () => {
    expect(await api().post('/posts', { slug: 'Not OK' })).toEqual(
      refusal('slug must be lowercase letters, digits, and dashes only'),
    );
  });
});

describe('nested elements', () => {
  const api = served(strict);

  it('become instances if their class is declared', async () => {
    const result = await api().post('/orders', { items: [{ sku: 'a', quantity: '1' }] });
    expect(result.body).toMatchObject({ isInstance: true });
  });

  it('stay plain and are not validated if it is not', async () => {
    const result = await api().post('/orders/untyped', { items: [{ sku: 7 }] });
    expect(result).toEqual({ status: 201, body: { body: { items: [{ sku: 7 }] }, isInstance: false } });
  });
});

describe('suppression', () => {
  const api = served({ ...strict, disableErrorMessages: true });

  it('hides the errors', async () => {
    expect(await api().post('/users', {})).toEqual({
      status: 400,
      body: { message: 'Bad Request', statusCode: 400 },
    });
  });
});

describe('groups', () => {
  const api = served(strict);

  it('require a password in create', async () => {
    expect(await api().post('/users/create', { email: 'a@b.co' })).toEqual(
      refusal('password must be longer than or equal to 8 characters'),
    );
  });

  it('do not require it in update', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co' })).toMatchObject({ status: 201 });
  });

  it('validate the length of a given password in update', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co', password: 'short' })).toEqual(
      refusal('password must be longer than or equal to 8 characters'),
    );
  });

  it('skip rules without a group, so that their field is unknown', async () => {
    expect(await api().post('/users/update', { email: 'a@b.co', groupless: 'x' })).toEqual(
      refusal('property groupless should not exist'),
    );
  });

  it('do not affect a concurrent call', async () => {
    const results = await Promise.all([
      api().post('/users/update', { email: 'a@b.co' }),
      api().post('/users/create', { email: 'a@b.co' }),
      api().post('/users/update', { email: 'a@b.co' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([201, 400, 201]);
  });
});
