import { Readable } from 'node:stream';
import {
  ConflictException,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { of } from 'rxjs';
import { serve, type Served } from '../../testing/serve';
import { Masked } from '@app/engine';
import { listOf } from '@app/engine/testing';
import { Returns } from './returns.decorator';
import { bindSerialization } from './bind-serialization.discovery';

/** The User view of the specification, closed. */
@Exclude()
class User {
  @Expose() id!: number;
  @Expose() email!: string;
  @Expose({ groups: ['admin'] }) role!: string;
  @Expose({ groups: ['admin'] }) lastLoginIp!: string;
  password!: string;
  passwordResetToken!: string;
}

/** The same, as an open class with exclusions. */
class Account {
  id!: number;
  email!: string;
  @Exclude() password!: string;
  @Transform(({ value }: { value: string }) => value.toUpperCase(), { toPlainOnly: true }) role!: string;
}

@Exclude()
class ApiKey {
  @Expose() id!: number;
  @Expose() @Masked() apiKey!: string;
  @Expose() createdAt!: Date;
}

@Exclude()
class Order {
  @Expose() id!: number;
  @Expose() @Type(() => User) owner!: User;
  @Expose() @Type(() => User) readers!: User[];
}

@Exclude()
class Named {
  @Expose() firstName!: string;
  @Expose() lastName!: string;
  @Expose({ name: 'e_mail' }) email!: string;

  @Expose()
  get fullName(): string {
    return `${this.firstName} ${this.lastName}`;
  }
}

/** Must run once: otherwise the price is divided twice. */
@Exclude()
class Price {
  @Expose() @Transform(({ value }: { value: number }) => value / 100) price!: number;
}

const row = {
  id: 1,
  email: 'a@b.co',
  role: 'admin',
  lastLoginIp: '::1',
  password: 'secret-hash',
  passwordResetToken: 'secret-token',
};

function userInstance(): User {
  return Object.assign(new User(), row);
}

/** An entity with fields that no view has. */
class StoredUser extends User {
  override password = 'secret-own';
}

@Controller()
class TestController {
  @Get('me') @Returns(User, { groups: ['user'] }) me() {
    return row;
  }

  @Get('admin') @Returns(User, { groups: ['admin'] }) admin() {
    return userInstance();
  }

  @Get('subclass') @Returns(User) subclass() {
    return Object.assign(new StoredUser(), row);
  }

  @Get('users') @Returns([User]) users() {
    return [row, userInstance(), null as never];
  }

  @Get('users/:id') @Returns(User) user() {
    return Promise.resolve(row);
  }

  @Get('observable') @Returns(User) observable() {
    return of(row);
  }

  @Get('order') @Returns(Order) order() {
    return { id: 1, owner: row, readers: [row, userInstance()], note: 'secret-note' };
  }

  @Get('order/instance') @Returns(Order) orderInstance() {
    return Object.assign(new Order(), { id: 1, owner: row, readers: [row] });
  }

  @Get('page') @Returns(listOf(User), { groups: ['admin'] }) page() {
    return { items: [row], page: 1, limit: 10, nextPage: null, total: 'secret-total' };
  }

  @Get('key') @Returns(ApiKey) key() {
    return {
      id: 1,
      apiKey: 'sk_live_12345',
      createdAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)),
      hash: 'secret',
    };
  }

  @Get('named') @Returns(Named) named() {
    return { firstName: 'Ann', lastName: 'Lee', email: 'a@b.co', fullName: 'forged' };
  }

  @Get('price') @Returns(Price) price() {
    return { price: 1999 };
  }

  @Post('either/:status') @Returns(User, {}, 200, Price) either(
    @Param('status') status: string,
    @Res({ passthrough: true }) reply: { status: (code: number) => unknown },
  ) {
    if (status === '200') reply.status(200);
    return status === '200' ? { price: 1999, id: 7 } : row;
  }

  @Get('null') @Returns(User) nothing() {
    return null as never;
  }

  @Post('empty') @HttpCode(204) @Returns(User) empty() {
    return undefined as never;
  }

  @Post('created') @Returns(User) created() {
    return row;
  }

  @Get('conflict') @Returns(User) conflict(): never {
    throw new ConflictException({ statusCode: 409, message: 'email is already taken', password: 'kept' });
  }

  @Get('config/above/:id') @RouteConfig({ limit: 1 }) @Returns(User) configAbove() {
    return row;
  }

  @Get('config/below/:id') @Returns(User) @RouteConfig({ limit: 1 }) configBelow() {
    return row;
  }

  @Get('plain') plain() {
    return row;
  }

  @Get('instance') instance() {
    const account = Object.assign(new Account(), { id: 1, password: 'secret', role: 'user' });
    account.email = account.password === 'secret' ? 'a@b.co' : 'unreadable';
    return account;
  }

  @Get('list') list() {
    return [userInstance(), { password: 'plain' }];
  }

  @Get('wrapper') wrapper() {
    return { user: userInstance(), users: [userInstance()], password: 'plain', at: new Date(0) };
  }

  @Get('subclass/undeclared') heirUndeclared() {
    return { user: Object.assign(new StoredUser(), row) };
  }

  @Get('text') text() {
    return 'hello';
  }

  @Get('number') number() {
    return 7;
  }

  @Get('undefined') nothingAtAll() {}

  @Get('buffer') buffer() {
    return Buffer.from('bytes');
  }

  @Get('stream') stream() {
    return new StreamableFile(Readable.from(['streamed']));
  }
}

describe('serialization', () => {
  let api: Served;
  beforeAll(async () => {
    api = await serve([TestController], bindSerialization);
  });
  afterAll(() => api.close());

  async function text(url: string): Promise<string> {
    return (await api.ask('GET', url)).text;
  }

  const basic = '{"id":1,"email":"a@b.co"}';
  const full = '{"id":1,"email":"a@b.co","role":"admin","lastLoginIp":"::1"}';

  describe('of a route that declares its class', () => {
    it('sends the view of its group', async () => {
      expect(await text('/me')).toBe(basic);
      expect(await text('/admin')).toBe(full);
    });

    it.each([
      ['a row', '/me', basic],
      ['an instance of a subclass', '/subclass', basic],
      ['a promise, under a path with a parameter', '/users/1', basic],
      ['an observable', '/observable', basic],
      ['a list of both', '/users', `[${basic},${basic},null]`],
      [
        'rows and instances inside a row',
        '/order',
        `{"id":1,"owner":${basic},"readers":[${basic},${basic}]}`,
      ],
      ['rows inside an instance', '/order/instance', `{"id":1,"owner":${basic},"readers":[${basic}]}`],
      ['a page', '/page', `{"items":[${full}]}`],
    ])('sends no secret, whatever the handler returns: %s', async (_what, url, wire) => {
      expect(await text(url)).toBe(wire);
    });

    it('writes dates in UTC with milliseconds, and masks masked fields', async () => {
      expect(await text('/key')).toBe('{"id":1,"apiKey":"sk***45","createdAt":"2026-01-02T03:04:05.006Z"}');
    });

    it('writes exposed names, and getters of the class', async () => {
      expect(JSON.parse(await text('/named'))).toEqual({
        firstName: 'Ann',
        lastName: 'Lee',
        e_mail: 'a@b.co',
        fullName: 'Ann Lee',
      });
    });

    it('runs a transform once', async () => {
      expect(await text('/price')).toBe('{"price":19.99}');
    });

    it('has another class for a status of its own', async () => {
      expect(await api.ask('POST', '/either/200')).toMatchObject({ status: 200, text: '{"price":19.99}' });
      expect(await api.ask('POST', '/either/201')).toMatchObject({ status: 201, text: basic });
    });

    it('applies to every success status', async () => {
      expect(await api.ask('POST', '/created')).toMatchObject({ status: 201, text: basic });
      expect(await api.ask('POST', '/empty')).toMatchObject({ status: 204, text: '' });
      expect(await text('/null')).toBe('null');
    });

    it('applies to HEAD', async () => {
      const { headers, text: body } = await api.ask('HEAD', '/me');
      expect(headers).toMatchObject({ 'content-length': String(basic.length) });
      expect(body).toBe('');
    });

    it('does not change errors', async () => {
      expect(await api.ask('GET', '/conflict')).toMatchObject({
        status: 409,
        text: '{"statusCode":409,"message":"email is already taken","password":"kept"}',
      });
    });

    it('works together with @RouteConfig, above or below', async () => {
      expect(await text('/config/above/1')).toBe(basic);
      expect(await text('/config/below/1')).toBe(basic);
    });
  });

  describe('of a route that declares nothing', () => {
    it('sends a plain object unchanged', async () => {
      expect(await text('/plain')).toBe(JSON.stringify(row));
    });

    it('filters an instance whose class has rules, of which the handler could read every field', async () => {
      expect(await text('/instance')).toBe('{"id":1,"role":"USER","email":"a@b.co"}');
    });

    it('writes a list element by element', async () => {
      expect(await text('/list')).toBe(`[${basic},{"password":"plain"}]`);
    });

    it('filters instances inside a plain object', async () => {
      expect(await text('/wrapper')).toBe(
        `{"user":${basic},"users":[${basic}],"password":"plain","at":"1970-01-01T00:00:00.000Z"}`,
      );
    });

    it('sends nothing of an instance of an open subclass', async () => {
      const { status, text: body } = await api.ask('GET', '/subclass/undeclared');
      expect(status).toBe(500);
      expect(body).not.toContain('secret');
    });

    it.each([
      ['/text', 'hello', 'text/plain; charset=utf-8'],
      ['/number', '7', 'application/json; charset=utf-8'],
      ['/undefined', '', undefined],
      ['/buffer', 'bytes', 'application/octet-stream'],
      ['/stream', 'streamed', 'application/octet-stream'],
    ])('sends values that are not objects as the framework does: %s', async (url, body, type) => {
      expect(await api.ask('GET', url)).toMatchObject({ status: 200, text: body, type });
    });
  });
});
