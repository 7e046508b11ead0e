import { Controller, Get } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startGuarded } from '../../testing/guarded-app';
import { ContradictoryRouteError, UnauthenticatedError, UndetectableCredentialsError } from '../errors';
import { Verified } from '../facets/verified.facet';
import { Caller, Public, Roles, Scopes, UseStrategy } from '../routes/route.decorator';
import { apiKeyStrategy } from '../strategies/api-key';
import { bearerStrategy } from '../strategies/bearer';
import { registerStrategies } from '../strategies/strategies-by-name';
import type { Strategy } from '../strategies/strategy';
import { AuthGuard } from './auth.guard';
import { AccessTokens } from '../tokens/access-tokens';

const tokens = new AccessTokens({
  secret: 'the secret of these tests, of 32 bytes and more',
  ttlSeconds: 60,
});
const token = tokens.sign({ sub: 7, username: 'ada@example.com' });

const jwt = bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => Promise.resolve({ sub }) });
const key = apiKeyStrategy({
  name: 'key',
  hasScopes: true,
  check: (text) => (text === 'k-1' ? { text, scopes: ['notes:read'] } : undefined),
});
const cookie: Strategy = {
  name: 'cookie',
  scheme: { type: 'apiKey', in: 'cookie', name: 'sid' },
  authenticate: ({ headers }) => (headers.cookie === 'sid=s-1' ? { sid: 's-1' } : undefined),
};
/** Reads a place that no scheme describes. */
const query: Strategy = {
  name: 'query',
  hasCredentials: ({ headers }) => 'x-signature' in headers,
  authenticate: ({ headers }) => (headers['x-signature'] === 'valid' ? { isSigned: true } : undefined),
};
const opaque: Strategy = { name: 'opaque', authenticate: () => undefined };

@Public({ caller: 'optional' })
@Controller('optional')
class OptionalController {
  @Get()
  read(@Caller() caller: unknown) {
    return { caller };
  }

  @Get('keys')
  @UseStrategy('jwt', 'key')
  @Scopes()
  byKey(@Caller() caller: unknown) {
    return { caller };
  }

  @Get('items')
  @UseStrategy('key')
  @Scopes('items:read')
  items(@Caller() caller: unknown) {
    return { caller };
  }

  @Get('cookies')
  @UseStrategy('cookie')
  byCookie(@Caller() caller: unknown) {
    return { caller };
  }

  @Get('signed')
  @UseStrategy('query')
  bySignature(@Caller() caller: unknown) {
    return { caller };
  }

  @Public(false)
  @Get('closed')
  closed(@Caller() caller: unknown) {
    return { caller };
  }

  @Public()
  @Get('open')
  open(@Caller() caller: unknown) {
    return { caller };
  }
}

@Roles('admin')
@Verified()
@Controller('staff')
class StaffController {
  @Get('optional')
  @Public({ caller: 'optional' })
  read(@Caller() caller: unknown) {
    return { caller };
  }
}

describe('a route whose caller is optional', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await startGuarded({ strategies: [jwt, key, cookie, query] }, OptionalController, StaffController);
  });
  afterAll(() => app.close());

  async function call(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const reply = await app.inject({ url, headers });
    return reply.statusCode === 200 ? (reply.json().caller ?? 'visitor') : reply.statusCode;
  }

  it('lets in a request without credentials, and knows the caller of one with valid ones', async () => {
    expect(await call('/optional')).toBe('visitor');
    expect(await call('/optional', { authorization: `Bearer ${token}` })).toEqual({ sub: 7 });
  });

  it.each([
    ['an expired token', `Bearer ${tokens.sign({ sub: 7, username: 'a' }, Date.now() - 61_000)}`],
    ['a changed signature', `Bearer ${token.slice(0, -4)}AAAA`],
    ['no token', 'Bearer'],
    ['another scheme', 'Basic eA=='],
    ['an empty header', ''],
  ])('answers 401 to credentials that are not valid: %s', async (_, authorization) => {
    expect(await call('/optional', { authorization })).toBe(401);
  });

  it('has the strategies that it names, and takes no notice of credentials of others', async () => {
    expect(await call('/optional/keys')).toBe('visitor');
    expect(await call('/optional/keys', { 'x-api-key': 'k-1' })).toMatchObject({ text: 'k-1' });
    expect(await call('/optional/keys', { 'x-api-key': 'k-2' })).toBe(401);
    expect(await call('/optional', { 'x-api-key': 'k-2' })).toBe('visitor');
  });

  it('requires its scopes of a caller who is restricted to some', async () => {
    expect(await call('/optional/items')).toBe('visitor');
    expect(await call('/optional/items', { 'x-api-key': 'k-1' })).toBe(403);
  });

  it('finds credentials in cookies by their scheme, or as the strategy says', async () => {
    expect(await call('/optional/cookies', { cookie: 'theme=sid; sid2=s-1' })).toBe('visitor');
    expect(await call('/optional/cookies', { cookie: 'sid=s-1' })).toEqual({ sid: 's-1' });
    expect(await call('/optional/cookies', { cookie: 'theme=dark; sid=s-2' })).toBe(401);
    expect(await call('/optional/signed')).toBe('visitor');
    expect(await call('/optional/signed', { 'x-signature': 'valid' })).toEqual({ isSigned: true });
    expect(await call('/optional/signed', { 'x-signature': 'forged' })).toBe(401);
  });

  it('overrides its class, and is overridden by its handlers', async () => {
    const wrong = { authorization: 'Bearer abc' };
    expect(await call('/staff/optional')).toBe('visitor');
    expect(await call('/staff/optional', { authorization: `Bearer ${token}` })).toEqual({ sub: 7 });
    expect([await call('/optional/closed'), await call('/optional/open', wrong)]).toEqual([401, 'visitor']);
  });

  it('lets in messages of connections without a caller, where it is optional', () => {
    const guard = new AuthGuard({ strategies: registerStrategies([jwt]) });
    const send = (handler: 'read' | 'closed', client: object) => {
      const method = Reflect.get(OptionalController.prototype, handler);
      const context = new ExecutionContextHost([client], OptionalController, method);
      context.setType('ws');
      return guard.canActivate(context);
    };
    expect([send('read', {}), send('closed', { user: { sub: 7 } })]).toEqual([true, true]);
    expect(() => send('closed', {})).toThrow(UnauthenticatedError);
  });

  it('authorizes fields of GraphQL by their request', () => {
    const guard = new AuthGuard({ strategies: registerStrategies([cookie]) });
    const resolve = (handler: 'read' | 'closed', context: object | undefined) => {
      const method = Reflect.get(OptionalController.prototype, handler);
      const field = new ExecutionContextHost([undefined, {}, context], OptionalController, method);
      field.setType('graphql');
      return guard.canActivate(field);
    };
    const req: { headers: object; user?: object } = { headers: { cookie: 'sid=s-1' } };
    expect([resolve('closed', { req }), req.user]).toEqual([true, { sid: 's-1' }]);
    expect(resolve('read', { req: { headers: {} } })).toBe(true);
    for (const context of [{ req: { headers: {} } }, { user: { sid: 's-1' } }, undefined])
      expect(() => resolve('closed', context)).toThrow(UnauthenticatedError);
  });

  it('fails the start with a decorator that requires a caller', async () => {
    @Controller()
    class ForAdministrators {
      @Get()
      @Public({ caller: 'optional' })
      @Roles('admin')
      read() {}
    }
    await expect(startGuarded({ strategies: [jwt] }, ForAdministrators)).rejects.toThrow(
      ContradictoryRouteError,
    );
  });

  it('fails the start with a strategy that cannot tell invalid credentials from none', async () => {
    await expect(startGuarded({ strategies: [opaque] }, OptionalOpaque)).rejects.toThrow(
      UndetectableCredentialsError,
    );
  });
});

@Controller()
class OptionalOpaque {
  @Get()
  @Public({ caller: 'optional' })
  read() {}
}
