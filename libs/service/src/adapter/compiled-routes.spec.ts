import { AccessTokens, AuthModule, bearerStrategy, Caller, Public, Roles } from '@app/auth';
import { ById, IfGiven, Returns } from '@app/contract';
import { inGroups, ValidationPipe } from '@app/engine';
import {
  applyDecorators,
  type ArgumentMetadata,
  type ArgumentsHost,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  Delete,
  type DynamicModule,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  Injectable,
  Ip,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  Param,
  type PipeTransform,
  Post,
  type Provider,
  Query,
  Redirect,
  Req,
  Res,
  Scope,
  Sse,
  StreamableFile,
  type Type,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Version,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Exclude, Expose } from 'class-transformer';
import { IsEmail, IsOptional, IsString, MinLength, ValidateBy } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { map, type Observable, of } from 'rxjs';
import { type CompiledAndNest, runCompiledAndNest } from '../../testing/compiled-and-nest';
import { RouteAdapter } from './route.adapter';

const secret = 'a secret of tests, long enough to sign with';
const tokens = new AccessTokens({ secret, ttlSeconds: 60 });
const bearer = (sub: number) => ({
  authorization: `Bearer ${tokens.sign({ sub, username: 'ada@example.com' })}`,
});

class Make {
  @IsEmail({}, { groups: ['make'] }) email!: string;
  @MinLength(3, { groups: ['make'] }) name!: string;
}

class Search {
  @IsOptional() @IsString() text?: string;
}

@Exclude()
class Thing {
  @Expose() id!: number;
  @Expose({ groups: ['all'] }) secret!: string;
}

/** A class with an asynchronous rule and a synchronous rule. */
class Slow {
  @ValidateBy({ name: 'free', async: true, validator: { validate: async (name) => name === 'Ada' } })
  name!: string;
  @IfGiven() @IsString() text?: string;
}

interface User {
  readonly userId: number;
}

@Controller('things')
class ThingsController {
  @Get()
  @Public()
  text(): string {
    return 'text';
  }

  @Get('nothing')
  @Public()
  @Returns('anything')
  nothing(): void {}

  @Get('null')
  @Public()
  @Returns('anything')
  null(): null {
    return null;
  }

  @Get('number')
  @Public()
  @Returns('anything')
  async number(): Promise<number> {
    return 7;
  }

  @Get('stream')
  @Public()
  stream(): Readable {
    return Readable.from(['one', 'two']);
  }

  @Get('file')
  @Public()
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('a file'), { type: 'text/csv' });
  }

  @Get('observable')
  @Public()
  @Returns('anything')
  observable() {
    return of({ from: 'observable' });
  }

  @Get('pieces')
  @Public()
  @Returns('anything')
  async *pieces(): AsyncGenerator<string> {
    yield 'one';
    yield 'two';
  }

  @Get('response')
  @Public()
  @Returns('anything')
  response(): Response {
    return new Response('fetched', { status: 202, headers: { 'x-from': 'fetch' } });
  }

  @Get('bytes')
  @Public()
  bytes(): Buffer {
    return Buffer.from('bytes');
  }

  @Get('error')
  @Public()
  @Returns('anything')
  error(): Error {
    return new Error('returned');
  }

  @Get('thrown')
  @Public()
  @Returns('anything')
  thrown(): never {
    throw new HttpException('short and stout', 418);
  }

  @Get('rejected')
  @Public()
  @Returns('anything')
  async rejected(): Promise<never> {
    throw new TypeError('an unhandled error');
  }

  @Get('own')
  @Returns(Thing, { groups: ['all'] })
  own(@Caller() { userId }: User, @Ip() ip: string, @Headers('X-Colour') colour?: string): Thing {
    const sent = { id: userId, secret: `${ip} ${colour}`, more: 'never sent' };
    return sent;
  }

  @Get('admin')
  @Roles('admin')
  @Returns([Thing])
  admin(@Caller() { userId }: User): Thing[] {
    return [{ id: userId, secret: 'of a group' }];
  }

  @Get('status')
  @Public()
  @Returns('anything')
  status(@Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.code(203).header('X-Of', 'handler');
    return { ok: true };
  }

  @Get('whole')
  @Public()
  @Returns('anything')
  whole(@Res() reply: FastifyReply): void {
    void reply.code(201).send({ by: 'handler' });
  }

  @Get('sent')
  @Public()
  @Returns('anything')
  sent(@Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.send({ by: 'handler' });
  }

  @Get('request')
  @Public()
  @Returns('anything')
  request(@Req() { method }: FastifyRequest, @Headers() headers: Record<string, string>): object {
    return { method, accept: headers.accept ?? 'nothing' };
  }

  @Get('header')
  @Public()
  @Header('X-Fixed', 'yes')
  @Returns('anything')
  header(): object {
    return { ok: true };
  }

  @Get('headers/:what')
  @Public()
  @Header('Content-Type', 'text/csv')
  @Header('Set-Cookie', 'a=1')
  @Header('Set-Cookie', 'b=2')
  @Header('Cache-Control', () => 'no-store')
  @Returns('anything')
  headers(@Param('what') what: string): unknown {
    if (what === 'error') throw new HttpException('with header fields', 418);
    return new Map<string, unknown>([
      ['text', 'a;b'],
      ['bytes', Buffer.from('a;b')],
      ['file', new StreamableFile(Buffer.from('a;b'), { type: 'text/plain', disposition: 'attachment' })],
      ['stream', Readable.from(['a', ';b'])],
      ['object', { a: 'b' }],
    ]).get(what);
  }

  @Get('export')
  @Public()
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Returns('anything')
  async export(): Promise<StreamableFile> {
    return new StreamableFile(Readable.from(['{"a"', ':1}']));
  }

  @Get('headers-of/:id')
  @Public()
  @Header('Content-Type', 'application/vnd.thing+json')
  @Returns('anything')
  headersOf(@Param() { id }: ById): object {
    return { id };
  }

  @Get('away')
  @Public()
  @Redirect('/things', 302)
  away(): void {}

  @Sse('events')
  @Public()
  @Returns('anything')
  events() {
    return of({ data: 'one' }, { data: 'two' });
  }

  @Get('versioned')
  @Public()
  @Version('1')
  @Returns('anything')
  versioned(): object {
    return { version: 1 };
  }

  @Get('search/:id')
  @Public()
  @Returns('anything')
  both(@Param() { id }: ById, @Query() { text = 'nothing' }: Search): object {
    return { id, text };
  }

  @Get('search')
  @Public()
  @Returns('anything')
  search(@Query() { text = 'nothing' }: Search): object {
    return { text };
  }

  @Get(':id')
  @Public()
  @Returns('anything')
  byId(@Param() { id }: ById): object {
    return { id };
  }

  @Post()
  @Returns('anything')
  make(@Body(inGroups(Make, 'make')) body: Make, @Caller() { userId }: User): object {
    return { email: body.email, name: body.name, userId };
  }

  @Post('slow/:id')
  @Public()
  @Returns('anything')
  slow(@Param() { id }: ById, @Body() { name }: Slow): object {
    return { id, name };
  }

  @Post('slower/:id')
  @Public()
  @Returns('anything')
  slower(@Body() { name }: Slow, @Param() { id }: ById): object {
    return { id, name };
  }

  @Delete(':id')
  @Public()
  @HttpCode(204)
  async remove(@Param() { id }: ById): Promise<void> {
    if (id === 404) throw new HttpException('there is none', 404);
  }
}

/** Two routes with the same method name in two classes of the same name: ambiguous. */
const twins = ['one', 'other'].map((path) => {
  @Controller(`twins/${path}`)
  class Twin {
    @Get()
    @Public()
    read(): string {
      return path;
    }
  }
  return Twin;
});

@Module({ controllers: [ThingsController, ...twins] })
class Things {}

@Module({ controllers: [ThingsController, ...twins] })
class ThingsWithMiddleware {
  configure(consumer: MiddlewareConsumer): void {
    const stamp = (
      _request: unknown,
      response: { setHeader(name: string, value: string): void },
      next: () => void,
    ) => {
      response.setHeader('X-Middleware', 'ran');
      next();
    };
    consumer.apply(stamp).forRoutes('things/status');
  }
}

const auth = AuthModule.forRootAsync({
  useFactory: () => ({
    strategies: [
      bearerStrategy({
        name: 'jwt',
        tokens,
        check: async ({ sub, username }) =>
          sub === 9 ? undefined : { userId: sub, username, role: sub === 1 ? 'admin' : 'user' },
      }),
      bearerStrategy({ name: 'quick', tokens, check: ({ sub }) => ({ userId: sub }) }),
    ],
  }),
});

describe.each([
  ['served by the pipeline', Things],
  ['behind middleware', ThingsWithMiddleware],
])('a compiled route, %s, responds as Nest does', (way, module) => {
  let program: CompiledAndNest;
  beforeAll(async () => {
    program = await runCompiledAndNest(() => ({ module, imports: [auth] }));
  });
  afterAll(() => program.close());

  it.each([
    'nothing',
    'null',
    'number',
    'stream',
    'file',
    'observable',
    'pieces',
    'response',
    'bytes',
    'error',
    'thrown',
    'rejected',
    'status',
    'whole',
    'sent',
    'request',
    'header',
    'export',
    'headers/text',
    'headers/bytes',
    'headers/file',
    'headers/stream',
    'headers/object',
    'headers/nothing',
    'headers/error',
    'headers-of/7',
    'headers-of/seven',
    'away',
    'events',
    'versioned',
    'search?text=a',
    'search',
    'search?text=a&text=b',
    'search?other=1',
    '7',
    'seven',
    '404',
  ])('GET /things/%s', async (path) => {
    const { body } = await program.send({ path: `/things/${path}` });
    const head = await program.send({ method: 'HEAD', path: `/things/${path}` });
    expect([typeof body, head.body]).toEqual(['string', '']);
  });

  it.each([
    '/things',
    '/things?a=1',
    '/things/',
    '/nowhere',
    '/twins/one',
    '/twins/other',
    '/health/live',
    '/health',
  ])('GET %s', async (path) => {
    expect(await program.send({ path })).toHaveProperty('status');
  });

  it('to allowed and to other callers', async () => {
    const paths = ['/things/own', '/things/admin'];
    const callers = [{}, bearer(1), bearer(2), bearer(9), { authorization: 'Bearer nonsense' }];
    const statuses = [];
    for (const path of paths)
      for (const headers of callers)
        statuses.push((await program.send({ path, headers })).status.slice(0, 3));
    expect(statuses).toEqual(['401', '200', '200', '401', '401', '401', '200', '403', '401', '401']);
  });

  it('to valid and to invalid input', async () => {
    const headers = { ...bearer(2), 'x-colour': 'green' };
    const { body } = await program.send({ path: '/things/own', headers });
    expect(JSON.parse(body)).toEqual({ id: 2, secret: expect.stringMatching(/^127\.0\.0\.1 green$/) });
  });

  it.each([
    [201, { email: 'ada@example.com', name: 'Ada' }],
    [400, { email: 'invalid', name: 'A' }],
    [400, { email: 'ada@example.com', name: 'Ada', more: 1 }],
    [400, []],
    [400, 'no JSON'],
    [400, undefined],
  ])('%i to POST of %j', async (status, body) => {
    const response = await program.send({ method: 'POST', path: '/things', headers: bearer(2), body });
    expect(response.status).toMatch(new RegExp(`^${status} `));
  });

  it.each(['slow', 'slower'])(
    'POST /things/%s/:id, whichever of its inputs is wrong, and when',
    async (route) => {
      const bodies = [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Ada', text: 7 }, { name: 'Ada', more: 1 }];
      const statuses = [];
      for (const id of ['7', 'seven']) {
        for (const body of bodies)
          statuses.push(
            (await program.send({ method: 'POST', path: `/things/${route}/${id}`, body })).status,
          );
      }
      expect(statuses.filter((status) => status === '201 Created')).toHaveLength(1);
      expect(statuses.filter((status) => status === '400 Bad Request')).toHaveLength(7);
    },
  );

  it('with the errors of the same input as Nest, if several are invalid', async () => {
    const { body } = await program.send({ path: '/things/search/seven?other=1' });
    expect(JSON.parse(body)).toMatchObject({ message: ['property other should not exist'] });
  });

  it('401 before 400', async () => {
    const response = await program.send({ method: 'POST', path: '/things', body: { email: 'invalid' } });
    expect(response.status).toBe('401 Unauthorized');
  });

  it.each([
    ['/things/7', '204'],
    ['/things/404', '404'],
    ['/things/seven', '400'],
  ])('DELETE %s', async (path, status) => {
    expect((await program.send({ method: 'DELETE', path })).status).toContain(status);
  });

  it('and is compiled, unless it uses features that only Nest implements', () => {
    const [compiled, nest] = program.apps.map(compiledRoutes);
    expect(nest).toEqual([]);
    expect(compiled).toContain('POST /things');
    expect(compiled).toEqual(
      expect.arrayContaining(['GET /things/stream', 'GET /things/status', 'GET /things/versioned']),
    );
    for (const path of ['whole', 'away', 'events']) expect(compiled).not.toContain(`GET /things/${path}`);
    expect(compiled.filter((route) => route.includes('twins'))).toEqual([]);
    expect(servedRoutes(program.apps[0])).toEqual(way === 'served by the pipeline' ? compiled : []);
  });
});

/** Parts that an application adds; each has a visible effect. */
class MarkingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const [request, reply] = context.getArgs<[FastifyRequest, FastifyReply]>();
    void reply.header('X-Guard', `${context.getClass().name}.${context.getHandler().name}`);
    return request.headers['x-reject'] === undefined;
  }
}

class MarkingPipe implements PipeTransform {
  transform(value: unknown, { type, data = 'whole' }: ArgumentMetadata): unknown {
    return typeof value === 'object' && value !== null
      ? Object.assign(value, { marked: `${type} ${data}` })
      : value;
  }
}

class MarkingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    void context.getArgByIndex<FastifyReply>(1).header('X-Interceptor', 'ran');
    return next.handle().pipe(map((value: unknown) => ({ wrapped: value })));
  }
}

@Catch(TypeError)
class MarkingFilter implements ExceptionFilter {
  catch(_error: TypeError, host: ArgumentsHost): void {
    void host.getArgByIndex<FastifyReply>(1).code(499).send({ by: 'filter' });
  }
}

class AsyncGuard implements CanActivate {
  canActivate(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestGuard extends MarkingGuard {}

const as = <T>(provide: string, useClass: Type<T>): Provider => ({ provide, useClass });

const additions: [string, MethodDecorator & ClassDecorator][] = [
  ['a guard', UseGuards(MarkingGuard)],
  ['a guard that waits', UseGuards(AsyncGuard)],
  ['a guard for each request', UseGuards(RequestGuard)],
  ['a pipe', UsePipes(MarkingPipe)],
  ['an interceptor', UseInterceptors(MarkingInterceptor)],
  ['a filter', UseFilters(MarkingFilter)],
];

describe('what an application adds works on every route', () => {
  const ways: CompiledAndNest[] = [];
  afterEach(async () => void (await Promise.all(ways.splice(0).map((way) => way.close()))));

  const run = async (module: DynamicModule): Promise<CompiledAndNest> => {
    const both = await runCompiledAndNest(() => module);
    ways.push(both);
    return both;
  };
  const tell = async (both: CompiledAndNest): Promise<string> => {
    const response = [
      await both.send({ path: '/plain/ok?text=a' }),
      await both.send({ path: '/plain/ok?other=a' }),
      await both.send({ path: '/plain/ok', headers: { 'x-reject': 'yes' } }),
      await both.send({ path: '/plain/fails' }),
      await both.send({ path: '/plain/other?text=a' }),
    ];
    return JSON.stringify(response);
  };
  const plain = (
    ofHandler: MethodDecorator[] = [],
    ofClass: ClassDecorator[] = [],
    ofQuery: Type<PipeTransform>[] = [],
  ) => {
    @Controller('plain')
    @Public()
    @applyDecorators(...ofClass)
    class PlainController {
      @Get('ok')
      @applyDecorators(...ofHandler)
      @Returns('anything')
      ok(@Query(...ofQuery) query: Search): object {
        return { query };
      }

      @Get('fails')
      @applyDecorators(...ofHandler)
      @Returns('anything')
      async fails(): Promise<never> {
        throw new TypeError('an unhandled error');
      }

      @Get('other')
      @Returns('anything')
      other(@Query() query: Search): object {
        return { query };
      }
    }
    return PlainController;
  };
  class Root {}
  const rootOf = (controller: Type, providers: Provider[] = []): DynamicModule => ({
    module: Root,
    controllers: [controller],
    providers,
  });
  const untouched = () => run(rootOf(plain())).then(tell);

  it.each(additions)('%s on a handler', async (what, addition) => {
    const both = await run(rootOf(plain([addition])));
    expect(await tell(both)).not.toBe(await untouched());
    const isForEachRequest = what.includes('each request');
    expect(compiledRoutes(both.apps[0])).toEqual(isForEachRequest ? [] : ['GET /plain/other']);
  });

  it.each(additions)('%s on a controller', async (_what, addition) => {
    const both = await run(rootOf(plain([], [addition])));
    expect(await tell(both)).not.toBe(await untouched());
    expect(compiledRoutes(both.apps[0])).toEqual([]);
  });

  it('a pipe on a parameter', async () => {
    const both = await run(rootOf(plain([], [], [MarkingPipe])));
    expect(await tell(both)).not.toBe(await untouched());
    expect(compiledRoutes(both.apps[0])).toEqual(['GET /plain/fails', 'GET /plain/other']);
  });

  it.each([
    ['a guard', as(APP_GUARD, MarkingGuard)],
    ['a guard for each request', as(APP_GUARD, RequestGuard)],
    ['a pipe', as(APP_PIPE, MarkingPipe)],
    ['an interceptor', as(APP_INTERCEPTOR, MarkingInterceptor)],
    ['a filter', as(APP_FILTER, MarkingFilter)],
  ])('%s for the whole application', async (_what, provider) => {
    const both = await run(rootOf(plain(), [provider]));
    expect(await tell(both)).not.toBe(await untouched());
    expect(compiledRoutes(both.apps[0])).toEqual([]);
  });

  it('a subclass of one of our parts', async () => {
    @Injectable()
    class LenientPipe extends ValidationPipe {
      override transform(): Promise<unknown> {
        return Promise.resolve({ lenient: true });
      }
    }
    const both = await run(rootOf(plain(), [as(APP_PIPE, LenientPipe)]));
    expect(await tell(both)).toContain('lenient');
    expect(compiledRoutes(both.apps[0])).toEqual([]);
  });

  it('a request-scoped controller', async () => {
    @Controller({ path: 'plain', scope: Scope.REQUEST })
    @Public()
    class Scoped {
      private asked = 0;

      @Get('ok')
      @Returns('anything')
      ok(@Query() { text }: Search): object {
        return { asked: ++this.asked, text };
      }
    }
    const both = await run(rootOf(Scoped));
    expect(await tell(both)).not.toContain('"asked":2');
    expect(compiledRoutes(both.apps[0])).toEqual([]);
  });
});

function compiledRoutes(app: NestFastifyApplication): string[] {
  return ownRoutes(adapterOf(app)?.compiled.candidates);
}

function servedRoutes(app: NestFastifyApplication): string[] {
  return ownRoutes(adapterOf(app)?.compiled.names);
}

function adapterOf(app: NestFastifyApplication): RouteAdapter | undefined {
  const adapter: unknown = app.getHttpAdapter();
  return adapter instanceof RouteAdapter ? adapter : undefined;
}

/** The routes without the routes that every program has. */
function ownRoutes(routes: ReadonlySet<string> = new Set()): string[] {
  return [...routes].filter((route) => !/health|problems|docs|openapi/.test(route)).toSorted();
}
