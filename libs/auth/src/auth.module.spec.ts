import { Controller, Get, Logger, type Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { startGuarded } from '../testing/guarded-app';
import {
  ContradictoryRouteError,
  InterchangeableTokensError,
  UnenforcedScopesError,
  UnknownScopeError,
  UnknownStrategyError,
} from './errors';
import { apiKeyStrategy } from './strategies/api-key';
import { bearerStrategy } from './strategies/bearer';
import type { Strategy } from './strategies/strategy';
import { AccessTokens } from './tokens/access-tokens';
import { AuthGuard } from './guard/auth.guard';
import { Recent } from './facets/recent.facet';
import { Verified } from './facets/verified.facet';
import { Caller, Public, Roles, Scopes, UseStrategy } from './routes/route.decorator';
import { isPublic, routeRules } from './routes/route-rules.discovery';
import { registerStrategies } from './strategies/strategies-by-name';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const OTHER = 'the other secret of these tests, as long as that';
const tokens = new AccessTokens({ secret: SECRET, ttlSeconds: 60 });
const WHO = { sub: 7, username: 'ada@example.com' };

const strategyOf = (name: string, signer: AccessTokens) =>
  bearerStrategy({ name, tokens: signer, check: ({ sub }) => ({ userId: sub, by: name }) });
const jwt = strategyOf('jwt', tokens);

@Controller()
class HomeController {
  @Get('default')
  byDefault(@Caller() caller: unknown): unknown {
    return caller;
  }

  @UseStrategy('invitation')
  @Get('invitation')
  byInvitation(@Caller() caller: unknown): unknown {
    return caller;
  }
}

@UseStrategy('invitation')
@Controller('class')
class InvitationController {
  @Get()
  read(@Caller() caller: unknown): unknown {
    return caller;
  }

  @UseStrategy('jwt')
  @Get('jwt')
  byToken(@Caller() caller: unknown): unknown {
    return caller;
  }
}

async function withApp<T>(
  strategies: Strategy[],
  use: (app: NestFastifyApplication) => Promise<T>,
): Promise<T> {
  const app = await startGuarded({ strategies }, HomeController, InvitationController);
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

describe.each([
  ['with different secrets', new AccessTokens({ secret: OTHER, ttlSeconds: 600 })],
  [
    'with one secret and two types',
    new AccessTokens({ secret: SECRET, ttlSeconds: 60, type: 'invitation+jwt' }),
  ],
])('two strategies %s', (_, invitations) => {
  const strategies = [jwt, strategyOf('invitation', invitations)];
  const ask = (url: string, token: string) =>
    withApp(strategies, async (app) => {
      const reply = await app.inject({ url, headers: { authorization: `Bearer ${token}` } });
      return reply.statusCode === 200 ? reply.json() : reply.statusCode;
    });

  it.each(['/default', '/class/jwt'])('%s accepts tokens of the first strategy only', async (url) => {
    expect(await ask(url, tokens.sign(WHO))).toEqual({ userId: 7, by: 'jwt' });
    expect(await ask(url, invitations.sign(WHO))).toBe(401);
  });

  it.each(['/invitation', '/class'])('%s accepts tokens of the second strategy only', async (url) => {
    expect(await ask(url, invitations.sign(WHO))).toEqual({ userId: 7, by: 'invitation' });
    expect(await ask(url, tokens.sign(WHO))).toBe(401);
  });
});

describe('registering strategies', () => {
  it("rejects two that would accept each other's tokens", () => {
    const same = new AccessTokens({ secret: OTHER, previous: [SECRET], ttlSeconds: 600 });
    expect(() => registerStrategies([jwt, strategyOf('invitation', same)])).toThrow(
      InterchangeableTokensError,
    );
  });

  it('permits two with the same AccessTokens instance', () => {
    expect([...registerStrategies([jwt, strategyOf('guest', tokens)]).keys()]).toEqual(['jwt', 'guest']);
  });

  it('rejects duplicate names and an empty list', () => {
    expect(() => registerStrategies([jwt, jwt])).toThrow("Two strategies are named 'jwt'");
    expect(() => registerStrategies([])).toThrow('at least one strategy');
  });

  it('fails the start of the application on a conflict', async () => {
    await expect(startGuarded({ strategies: [jwt, jwt] })).rejects.toThrow(TypeError);
  });
});

const start = (...controllers: Type[]) => startGuarded({ strategies: [jwt] }, ...controllers);

describe('a misconfigured route fails the start', () => {
  it('when it names a strategy that is not registered, with route and strategies in the error', async () => {
    const error: unknown = await start(HomeController).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnknownStrategyError);
    expect(error).toMatchObject({
      route: 'HomeController.byInvitation',
      strategy: 'invitation',
      registered: ['jwt'],
    });
    expect(String(error)).toContain('Registered: jwt.');
  });

  it('when it requires a role that does not exist', async () => {
    @Controller()
    class Misspelled {
      @Roles('admin', 'amdin')
      @Get()
      read(): void {}
    }
    const roles = ['user', 'admin'];
    await expect(startGuarded({ strategies: [jwt], roles }, Misspelled)).rejects.toThrow(
      "Misspelled.read requires the role 'amdin', which does not exist. Roles: user, admin.",
    );
    await (await start(Misspelled)).close();
  });

  it('when it has roles in a public class', async () => {
    @Public()
    @Controller()
    class Misconfigured {
      @Roles('admin')
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow(ContradictoryRouteError);
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @Roles()');
  });

  it('when it has @Public() and @UseStrategy()', async () => {
    @Controller()
    class Misconfigured {
      @Public()
      @UseStrategy('jwt')
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @UseStrategy()');
  });

  it('when it has @Public() and @Recent()', async () => {
    @Controller()
    class Misconfigured {
      @Public()
      @Recent('15m')
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @Recent()');
  });

  it('when it requires a scope that does not exist, or restricts nobody by its scopes', async () => {
    @Controller()
    class Misspelled {
      @UseStrategy('api-key')
      @Scopes('itmes:read')
      @Get()
      read(): void {}
    }
    @Controller()
    class Unenforced {
      @Scopes('read')
      @Get()
      read(): void {}
    }
    const strategies = [jwt, apiKeyStrategy({ name: 'api-key', hasScopes: true, check: () => undefined })];
    const scopes = ['items:read'];
    await expect(startGuarded({ strategies, scopes }, Misspelled)).rejects.toThrow(UnknownScopeError);
    await expect(startGuarded({ strategies, scopes }, Misspelled)).rejects.toThrow(
      "Misspelled.read requires the scope 'itmes:read', which does not exist. Scopes: read, write, items:read.",
    );
    await expect(startGuarded({ strategies }, Unenforced)).rejects.toThrow(UnenforcedScopesError);
    await (await startGuarded({ strategies }, Misspelled)).close();
  });

  it('when it has @Public() and @Verified()', async () => {
    @Controller()
    class Misconfigured {
      @Public()
      @Verified()
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @Verified()');
  });

  it('when it has @Public() and @Scopes()', async () => {
    @Controller()
    class Misconfigured {
      @Public()
      @Scopes('read')
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @Scopes()');
  });

  it('when its class has @Public() and @Roles()', async () => {
    @Public()
    @Roles('admin')
    @Controller()
    class Misconfigured {
      @Get()
      read(): void {}
    }
    await expect(start(Misconfigured)).rejects.toThrow('Misconfigured.read is public and has @Roles()');
  });

  it('but a method that is not a route is ignored', async () => {
    class Helpers {
      @UseStrategy('nowhere')
      help(): void {}
    }
    @Controller()
    class WithHelpers extends Helpers {}
    const app = await start(WithHelpers);
    await expect(app.close()).resolves.toBeUndefined();
  });
});

const handlerOf = (controller: Type, name: string) => Reflect.get(controller.prototype, name);

describe('the rules of a route', () => {
  it('can be read', () => {
    expect(isPublic(handlerOf(InvitationController, 'read'), InvitationController)).toBe(false);
    expect(routeRules(handlerOf(InvitationController, 'byToken'), InvitationController)).toEqual({
      isPublic: false,
      caller: 'required',
      strategies: ['jwt'],
      scopes: ['read'],
      facets: [],
      isBeforePasswordChange: false,
    });
    expect(routeRules(handlerOf(InvitationController, 'read'), InvitationController)).toEqual({
      isPublic: false,
      caller: 'required',
      strategies: ['invitation'],
      scopes: ['read'],
      facets: [],
      isBeforePasswordChange: false,
    });
  });

  it('are read once, and checked synchronously', () => {
    const guard = new AuthGuard({ strategies: registerStrategies([jwt]) });
    const authorization = `Bearer ${tokens.sign(WHO)}`;
    const request = {
      headers: { authorization },
      raw: { rawHeaders: ['Authorization', authorization] },
      ip: '::1',
    };
    const context = new ExecutionContextHost(
      [request],
      HomeController,
      handlerOf(HomeController, 'byDefault'),
    );
    expect(guard.canActivate(context)).toBe(true);
    const reads = vi.spyOn(Reflect, 'getMetadata');
    expect(guard.canActivate(context)).toBe(true);
    expect(reads).not.toHaveBeenCalled();
  });
});

describe('a failing check without onCheckError', () => {
  it('is logged by the Logger of Nest', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const error = new Error('the cause');
    const strategy = bearerStrategy({ name: 'jwt', tokens, check: () => Promise.reject(error) });
    await withApp(
      [strategy, strategyOf('invitation', new AccessTokens({ secret: OTHER, ttlSeconds: 60 }))],
      async (app) => {
        const headers = { authorization: `Bearer ${tokens.sign(WHO)}` };
        expect((await app.inject({ url: '/default', headers })).statusCode).toBe(401);
      },
    );
    expect(logged).toHaveBeenCalledWith(expect.stringContaining("'jwt'"), error);
  });
});
