import { Controller, Delete, Get, Head, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startGuarded } from '../../testing/guarded-app';
import { apiKeyStrategy } from '../strategies/api-key';
import { Roles, Scopes, UseStrategy } from '../routes/route.decorator';

@Controller('items')
@UseStrategy('api-key')
@Scopes('items:read')
class ItemsController {
  @Get()
  list(): string {
    return 'list';
  }

  @Scopes('items:read', 'items:write')
  @Post()
  create(): string {
    return 'created';
  }

  @Scopes()
  @Get('any')
  any(): string {
    return 'any';
  }
}

@Controller('plain')
@UseStrategy('api-key')
class PlainController {
  @Get()
  read(): string {
    return 'read';
  }

  @Head('head')
  head(): void {}

  @Delete()
  remove(): string {
    return 'removed';
  }

  @Roles('admin')
  @Get('staff')
  staff(): string {
    return 'staff';
  }
}

describe('a caller who is restricted to scopes', () => {
  let app: NestFastifyApplication;

  /** The key is the list of its scopes. */
  const check = (key: string) => ({ role: 'user', scopes: key === 'all' ? undefined : key.split(' ') });

  beforeAll(async () => {
    const strategies = [apiKeyStrategy({ name: 'api-key', hasScopes: true, check })];
    app = await startGuarded({ strategies }, ItemsController, PlainController);
  });
  afterAll(() => app.close());

  const ask = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, scopes: string) =>
    app.inject({ method, url, headers: { 'x-api-key': scopes } });

  it.each([
    ['GET', '/items', 'items:read', 200],
    ['GET', '/items', 'read', 200],
    ['GET', '/items', 'items:write', 403],
    ['GET', '/items', 'orders:read', 403],
    ['POST', '/items', 'items:read items:write', 201],
    ['POST', '/items', 'read write', 201],
    ['POST', '/items', 'write', 403],
    ['GET', '/items/any', 'orders:read', 200],
    ['GET', '/plain', 'read', 200],
    ['GET', '/plain', 'items:read', 403],
    ['GET', '/plain', 'write', 403],
    ['HEAD', '/plain/head', 'read', 200],
    ['DELETE', '/plain', 'write', 200],
    ['DELETE', '/plain', 'read', 403],
  ] as const)('%s %s with %j is answered with %i', async (method, url, scopes, status) => {
    expect((await ask(method, url, scopes)).statusCode).toBe(status);
  });

  it('is sent what is missing, after its role was checked', async () => {
    const message = async (method: 'GET' | 'POST', url: string, scopes: string) =>
      (await ask(method, url, scopes)).json().message;
    expect(await message('GET', '/items', 'write')).toBe('the scope items:read is needed');
    expect(await message('POST', '/items', 'orders:read')).toBe(
      'the scopes items:read, items:write are needed',
    );
    expect(await message('POST', '/items', 'items:read')).toBe('the scope items:write is needed');
    expect(await message('GET', '/plain/staff', 'write')).toBe(
      'only a caller with the role admin may do this',
    );
  });

  it('gets a challenge that names the missing scopes', async () => {
    const { headers } = await ask('POST', '/items', 'orders:read');
    expect(headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="items:read items:write"',
    );
  });

  it('is anyone who has scopes; others may call every route', async () => {
    for (const [method, url, status] of [
      ['GET', '/items', 200],
      ['POST', '/items', 201],
      ['DELETE', '/plain', 200],
    ] as const)
      expect((await ask(method, url, 'all')).statusCode).toBe(status);
  });
});
