import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  Body,
  Controller,
  Get,
  Injectable,
  type PipeTransform,
  Post,
  UnauthorizedException,
  UsePipes,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { forgeToken } from '../../testing';
import { startGuarded } from '../../testing/guarded-app';
import { type ErrorReply, HttpError } from '@app/http-errors';
import { bearerStrategy } from '../strategies/bearer';
import { AccessTokens } from '../tokens/access-tokens';
import { ForbiddenError } from '../errors';
import { facet } from '../facets/facet';
import { registerFacets } from '../facets/route-facets';
import { type CheckErrorRule, type RefusedAccess, replyWith } from '../auth-options';
import { Recent, ReauthenticationRequiredError } from '../facets/recent.facet';
import { UnverifiedEmailError, Verified } from '../facets/verified.facet';
import { Caller, Public, Roles } from '../routes/route.decorator';

const SECRET = 'the secret of these tests, of 32 bytes and more';
const tokens = new AccessTokens({ secret: SECRET, ttlSeconds: 60 });
const UNAUTHORIZED = { statusCode: 401, message: 'Unauthorized' };

class DisabledError extends HttpError {
  readonly reply: ErrorReply = { status: 403, message: 'This account is disabled' };
}
class StoreUnavailable extends Error {}

/** The application's check, set by each test. */
let check: () => unknown;
const checkErrors: CheckErrorRule[] = [
  replyWith(DisabledError),
  replyWith(StoreUnavailable, { status: 503, message: 'Try later', headers: { 'Retry-After': '1' } }),
];
const onCheckError = vi.fn<(error: unknown, strategy: string) => void>();
const onRefused = vi.fn<(refused: RefusedAccess) => void>();

class ClubError extends HttpError {
  readonly reply: ErrorReply = { status: 404, message: 'there is no such club' };
}
const inClub = facet<readonly string[]>({
  name: 'clubs',
  decorator: '@InClub()',
  error: UnverifiedEmailError,
  description: (names) => `members of ${names.join(' or ')}`,
  summary: (names) => names.join(' or '),
});
registerFacets([inClub]);
const gates = {
  clubs: {
    admit: (caller: object, { params }: { params?: unknown }, clubs: unknown) => {
      const { club = '' } = Object(params);
      if (!Array.isArray(clubs) || !clubs.includes(club)) throw new ClubError();
      return { ...caller, club };
    },
  },
};

@Injectable()
class RefusingPipe implements PipeTransform {
  transform(): never {
    throw Object.assign(new Error('bad input'), { reply: { status: 400, message: 'Bad Request' } });
  }
}

@Controller('closed')
class ClosedController {
  @Get()
  read(@Caller() caller: unknown): unknown {
    return caller;
  }

  @Public()
  @Get('open')
  open(@Caller() caller: unknown): string {
    return `open to ${String(caller)}`;
  }

  @Roles('admin', 'auditor')
  @Get('staff')
  staff(): string {
    return 'staff';
  }

  @Recent('15m')
  @Get('recent')
  recent(): string {
    return 'recent';
  }

  @Recent('15m', { factors: 2 })
  @Get('two-factors')
  twoFactors(): string {
    return 'two factors';
  }

  @Verified()
  @Get('verified')
  verified(): string {
    return 'verified';
  }

  @Get('clubs/:club')
  @inClub.set(['chess', 'go'])
  club(@Caller() caller: unknown): unknown {
    return caller;
  }

  @Post('clubs/:club')
  @inClub.set(['chess'])
  @Recent('15m')
  @UsePipes(RefusingPipe)
  join(@Body() body: unknown): unknown {
    return body;
  }

  @Post()
  @UsePipes(RefusingPipe)
  create(@Body() body: unknown): unknown {
    return body;
  }
}

@Public()
@Controller('open')
class OpenController {
  @Get()
  read(): string {
    return 'open';
  }

  @Public(false)
  @Get('closed')
  closed(): string {
    return 'closed';
  }
}

@Roles('admin')
@Controller('admin')
class AdminController {
  @Get()
  read(): string {
    return 'admin';
  }

  @Roles('user')
  @Get('user')
  user(): string {
    return 'user';
  }

  @Public()
  @Get('open')
  open(): string {
    return 'open';
  }
}

abstract class Listing {
  @Get()
  list(): string {
    return 'list';
  }
}
@Public()
@Controller('inherited/open')
class OpenListing extends Listing {}
@Controller('inherited/closed')
class ClosedListing extends Listing {}

describe('the guard', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const strategies = [bearerStrategy({ name: 'jwt', tokens, check: () => check() })];
    app = await startGuarded(
      { strategies, checkErrors, onCheckError, onRefused, gates },
      ClosedController,
      OpenController,
      AdminController,
      OpenListing,
      ClosedListing,
    );
  });
  afterAll(() => app.close());
  beforeEach(() => {
    check = () => ({ userId: 7 });
    onCheckError.mockClear();
    onRefused.mockClear();
  });

  const bearer = () => `Bearer ${tokens.sign({ sub: 7, username: 'ada@example.com' })}`;
  const get = (url: string, authorization = bearer()) => app.inject({ url, headers: { authorization } });
  const getUnsigned = (url: string) => app.inject({ url });

  it('passes the caller found by the check to the handler', async () => {
    const reply = await get('/closed');
    expect([reply.statusCode, reply.json()]).toEqual([200, { userId: 7 }]);
  });

  it('awaits an asynchronous check', async () => {
    check = () => Promise.resolve({ userId: 8 });
    expect((await get('/closed')).json()).toEqual({ userId: 8 });
  });

  it.each([
    ['no header', undefined],
    ['no scheme', 'abc'],
    ['another scheme', 'Basic eA=='],
    ['no token', 'Bearer'],
    ['an expired token', `Bearer ${tokens.sign({ sub: 7, username: 'a' }, Date.now() - 61_000)}`],
    ['a signature that does not match', `Bearer ${tokens.sign({ sub: 7, username: 'a' }).slice(0, -4)}AAAA`],
    ['a token without exp', `Bearer ${forgeToken({ payload: { sub: 7, username: 'a' }, secret: SECRET })}`],
  ])('answers 401 with the scheme to %s', async (_, authorization) => {
    const reply = await app.inject({ url: '/closed', headers: authorization ? { authorization } : {} });
    expect([reply.statusCode, reply.json()]).toEqual([401, UNAUTHORIZED]);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(onCheckError).not.toHaveBeenCalled();
  });

  it('answers 401 to two valid Authorization headers', async () => {
    await app.listen(0, '127.0.0.1');
    const socket = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1');
    const header = `Authorization: ${bearer()}\r\n`;
    socket.end(`GET /closed HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}${header}\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([
    ['null', () => null],
    ['undefined', () => undefined],
    ['false', () => false],
    ['true', () => true],
    ['a name', () => 'ada'],
    ['a promise of null', () => Promise.resolve(null)],
    ['a promise of undefined', () => Promise.resolve(undefined)],
    ['a thenable of null', () => thenableOf(null)],
  ])('answers 401 when the check returns %s', async (_, answer) => {
    check = answer;
    const reply = await get('/closed');
    expect([reply.statusCode, reply.json()]).toEqual([401, UNAUTHORIZED]);
    expect(onCheckError).not.toHaveBeenCalled();
  });

  describe.each([
    ['throws', throwing],
    ['rejects with', rejecting],
  ])('when the check %s', (_, failWith) => {
    it('an unexpected error, answers 401 and reports the error', async () => {
      const error = new RangeError('secret detail');
      check = failWith(error);
      const reply = await get('/closed');
      expect([reply.statusCode, reply.json()]).toEqual([401, UNAUTHORIZED]);
      expect(onCheckError.mock.calls).toEqual([[error, 'jwt']]);
    });

    it.each([undefined, null, 'text', 0])('%j, answers 401', async (thrown) => {
      check = failWith(thrown);
      expect((await get('/closed')).statusCode).toBe(401);
      expect(onCheckError).toHaveBeenCalledOnce();
    });

    it('an unauthorized error, answers 401 and reports nothing', async () => {
      check = failWith(new UnauthorizedException('no such user'));
      expect((await get('/closed')).json()).toEqual(UNAUTHORIZED);
      expect(onCheckError).not.toHaveBeenCalled();
    });

    it('an error with a reply that is not in checkErrors, answers 401', async () => {
      check = failWith(Object.assign(new Error('teapot'), { reply: { status: 418, message: 'teapot' } }));
      expect((await get('/closed')).statusCode).toBe(401);
    });

    it('an error that is in checkErrors, answers with its reply', async () => {
      check = failWith(new DisabledError());
      const disabled = await get('/closed');
      expect([disabled.statusCode, disabled.json().message]).toEqual([403, 'This account is disabled']);
      check = failWith(new StoreUnavailable());
      const unavailable = await get('/closed');
      expect([unavailable.statusCode, unavailable.headers['retry-after']]).toEqual([503, '1']);
      expect(onCheckError).not.toHaveBeenCalled();
    });
  });

  it('requires no authentication on a public handler, and ignores invalid credentials', async () => {
    expect((await getUnsigned('/closed/open')).body).toBe('open to undefined');
    expect((await get('/closed/open', 'Bearer nonsense')).body).toBe('open to undefined');
  });

  it('requires no authentication on the handlers of a public class, except with @Public(false)', async () => {
    expect((await getUnsigned('/open')).statusCode).toBe(200);
    expect((await getUnsigned('/open/closed')).statusCode).toBe(401);
    expect((await get('/open/closed')).statusCode).toBe(200);
  });

  it('distinguishes two controllers that inherit one handler', async () => {
    expect((await getUnsigned('/inherited/open')).statusCode).toBe(200);
    expect((await getUnsigned('/inherited/closed')).statusCode).toBe(401);
  });

  it.each([
    ['/closed/staff', 'admin', 200],
    ['/closed/staff', 'auditor', 200],
    ['/closed/staff', 'user', 403],
    ['/closed/staff', undefined, 403],
    ['/closed/staff', ['admin'], 403],
    ['/admin', 'admin', 200],
    ['/admin', 'user', 403],
    ['/admin/user', 'user', 200],
    ['/admin/user', 'admin', 403],
  ])('%s answers a caller of role %j with %i', async (url, role, status) => {
    check = () => ({ userId: 7, role });
    expect((await get(url)).statusCode).toBe(status);
  });

  it('answers 403 with the required role to a caller of another role', async () => {
    expect((await get('/admin')).json()).toEqual({
      statusCode: 403,
      message: 'only a caller with the role admin may do this',
    });
    expect((await getUnsigned('/admin')).statusCode).toBe(401);
  });

  it.each([
    ['just now', 0, 200],
    ['within the time', 14 * 60, 200],
    ['before it', 16 * 60, 403],
    ['by a clock that is slightly ahead', -30, 200],
    ['in the future', -120, 403],
  ])('answers a caller who signed in %s with the status of a recent sign-in', async (_, age, status) => {
    check = () => ({ userId: 7, authTime: Date.now() / 1000 - age });
    expect((await get('/closed/recent')).statusCode).toBe(status);
    expect((await get('/closed')).statusCode).toBe(200);
  });

  it.each([undefined, '0', Number.NaN])(
    'answers 403 for a recent sign-in whose time is unknown: %s',
    async (authTime) => {
      check = () => ({ userId: 7, authTime });
      expect((await get('/closed/recent')).json()).toEqual({
        statusCode: 403,
        message: 'a recent sign-in is needed',
      });
    },
  );

  it.each([true, false, undefined, 'yes'])(
    'answers a caller whose e-mail is verified: %j',
    async (emailVerified) => {
      check = () => ({ emailVerified });
      const { statusCode, body } = await get('/closed/verified');
      const refused = JSON.stringify({ statusCode: 403, message: 'a verified e-mail is needed' });
      expect([statusCode, body]).toEqual(emailVerified === true ? [200, 'verified'] : [403, refused]);
    },
  );

  it.each([[['pwd', 'otp', 'mfa']], [['pwd']], [undefined], ['mfa'], [[]]])(
    'answers a caller who signed in by %j with the status of two factors',
    async (amr) => {
      check = () => ({ amr, authTime: Date.now() / 1000 });
      const { statusCode, body } = await get('/closed/two-factors');
      const refused = JSON.stringify({ statusCode: 403, message: 'a sign-in with two factors is needed' });
      expect([statusCode, body]).toEqual(
        Array.isArray(amr) && amr.includes('mfa') ? [200, 'two factors'] : [403, refused],
      );
      check = () => ({ amr: ['mfa'], authTime: 0 });
      expect((await get('/closed/two-factors')).json().message).toBe('a recent sign-in is needed');
    },
  );

  it('reports each caller whom it refuses, and nobody else', async () => {
    for (const path of ['/closed/staff', '/closed/recent', '/closed/verified', '/closed', '/open'])
      await get(path);
    await getUnsigned('/closed/staff');
    const common = { caller: { userId: 7 }, ip: '127.0.0.1' };
    expect(onRefused.mock.calls).toEqual([
      [{ ...common, route: 'ClosedController.staff', error: expect.any(ForbiddenError) }],
      [{ ...common, route: 'ClosedController.recent', error: expect.any(ReauthenticationRequiredError) }],
      [{ ...common, route: 'ClosedController.verified', error: expect.any(UnverifiedEmailError) }],
    ]);
  });

  it('lets a gate decide by the request, before validation and every other requirement', async () => {
    expect((await get('/closed/clubs/go')).json()).toEqual({ userId: 7, club: 'go' });
    expect((await getUnsigned('/closed/clubs/go')).statusCode).toBe(401);
    expect((await get('/closed/clubs/none')).json()).toEqual({
      statusCode: 404,
      message: 'there is no such club',
    });
    const headers = { authorization: bearer() };
    const join = (club: string) =>
      app.inject({ method: 'POST', url: `/closed/clubs/${club}`, payload: {}, headers });
    expect([(await join('go')).statusCode, (await join('chess')).statusCode]).toEqual([404, 403]);
    expect(onRefused.mock.calls.map(([{ error }]) => error)).toEqual([
      expect.any(ClubError),
      expect.any(ClubError),
      expect.any(ReauthenticationRequiredError),
    ]);
  });

  it('does not start with a gated facet whose gate is missing', async () => {
    const strategies = [bearerStrategy({ name: 'jwt', tokens, check: () => check() })];
    await expect(startGuarded({ strategies }, ClosedController)).rejects.toThrow(
      'the facet clubs has no gate: list it in `gates` of a plugin',
    );
  });

  it('has no recent sign-in without a duration', () => {
    for (const age of ['', '0', 'soon', '-1m']) expect(() => Recent(age)).toThrow("must be like '15m'");
  });

  it('supports a public handler in a class with roles', async () => {
    expect((await getUnsigned('/admin/open')).statusCode).toBe(200);
  });

  it('answers 401 before the body is validated', async () => {
    expect((await app.inject({ method: 'POST', url: '/closed', payload: {} })).statusCode).toBe(401);
    const headers = { authorization: bearer() };
    expect((await app.inject({ method: 'POST', url: '/closed', payload: {}, headers })).statusCode).toBe(400);
  });

  it.each(['/closed/', '//closed', '/closed?x=1', '/CLOSED', '/closed/../closed', '/%63losed', '/closed;x'])(
    'rejects variants of a protected path: %s',
    async (url) => {
      expect([401, 404]).toContain((await getUnsigned(url)).statusCode);
    },
  );
});

function throwing(error: unknown) {
  return () => {
    throw error;
  };
}

function rejecting(error: unknown) {
  return async () => {
    throw error;
  };
}

/** A thenable that is not a native promise. */
function thenableOf(value: unknown): object {
  const thenable = {};
  Reflect.set(thenable, 'then', (resolve: (value: unknown) => void) => resolve(value));
  return thenable;
}
