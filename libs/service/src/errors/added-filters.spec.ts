import { AccessTokens, AuthModule, bearerStrategy, Public } from '@app/auth';
import { Returns } from '@app/contract';
import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  HttpException,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  type OnModuleInit,
  Post,
  type Provider,
  Scope,
  type Type,
  UseFilters,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { Exclude, Expose } from 'class-transformer';
import { IsString } from 'class-validator';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { type SentRequest, type CompiledAndNest, runCompiledAndNest } from '../../testing/compiled-and-nest';

/** The ways in which a request can fail, before and in a handler. */
const cases: Readonly<Record<string, SentRequest>> = {
  'type error': { path: '/plain/type' },
  'range error': { path: '/plain/range' },
  exception: { path: '/plain/exception' },
  'broken rule': { method: 'POST', path: '/plain', body: { name: 7 } },
  'no JSON': { method: 'POST', path: '/plain', body: '{' },
  'no route': { path: '/nowhere' },
  'no token': { path: '/closed' },
  hook: { path: '/plain/fine', headers: { 'x-fail': 'hook' } },
  middleware: { path: '/plain/fine', headers: { 'x-fail': 'middleware' } },
  nothing: { path: '/plain/fine' },
};

/** The responses of our filter alone. */
const ours = {
  'type error': '500',
  'range error': '500',
  exception: '403',
  'broken rule': '400',
  'no JSON': '400',
  'no route': '404',
  'no token': '401',
  hook: '500',
  middleware: '500',
  nothing: '200',
};

/** A filter whose reply has its name. */
function filterFor(name: string, ...errors: Type<Error>[]): Type<ExceptionFilter> {
  @Catch(...errors)
  class Filter implements ExceptionFilter {
    catch(_error: Error, host: ArgumentsHost): void {
      void host.getArgByIndex<FastifyReply>(1).code(499).send({ by: name });
    }
  }
  return Filter;
}

function scopedFilterFor(name: string, ...errors: Type<Error>[]): Type<ExceptionFilter> {
  @Injectable({ scope: Scope.REQUEST })
  @Catch(...errors)
  class Scoped extends filterFor(name) {}
  return Scoped;
}

const forAll = (...filters: Type<ExceptionFilter>[]): Provider[] =>
  filters.map((useClass) => ({ provide: APP_FILTER, useClass }));

@Exclude()
class Named {
  @Expose() @IsString() name!: string;
}

const tokens = new AccessTokens({ secret: 'a secret of tests, long enough to sign with', ttlSeconds: 60 });
const strategy = bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => ({ userId: sub }) });

@Controller('closed')
class ClosedController {
  @Get()
  closed(): string {
    return 'closed';
  }
}

/** The filters that an application may add for all routes. */
@Module({})
class Failing implements NestModule, OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  configure(consumer: MiddlewareConsumer): void {
    const failing = ({ headers }: IncomingMessage, _response: unknown, next: () => void) => {
      if (headers['x-fail'] === 'middleware') throw new TypeError('of a middleware');
      next();
    };
    consumer.apply(failing).forRoutes('plain/fine');
  }

  onModuleInit(): void {
    const server: FastifyInstance = this.host.httpAdapter.getInstance();
    server.addHook('preHandler', async ({ headers }) => {
      if (headers['x-fail'] === 'hook') throw new TypeError('of a hook');
    });
  }
}

interface Filters {
  readonly global?: Provider[];
  readonly ofClass?: Type<ExceptionFilter>[];
  readonly ofHandler?: Type<ExceptionFilter>[];
}

function programWith({ global = [], ofClass = [], ofHandler = [] }: Filters): DynamicModule {
  @Controller('plain')
  @Public()
  @UseFilters(...ofClass)
  class PlainController {
    @Get('fine')
    fine(): string {
      return 'fine';
    }

    @Get('type')
    @UseFilters(...ofHandler)
    type(): string {
      throw new TypeError('of a handler');
    }

    @Get('range')
    @Returns(Named)
    async range(): Promise<Named> {
      throw new RangeError('of a handler');
    }

    @Get('exception')
    exception(): string {
      throw new ForbiddenException();
    }

    @Post()
    @Returns('anything')
    make(@Body() body: Named): Named {
      return body;
    }
  }
  return {
    module: Failing,
    imports: [AuthModule.forRootAsync({ useFactory: () => ({ strategies: [strategy] }) })],
    controllers: [PlainController, ClosedController],
    providers: global,
  };
}

describe('a filter of an application', () => {
  const ways: CompiledAndNest[] = [];
  afterEach(async () => void (await Promise.all(ways.splice(0).map((way) => way.close()))));

  /** Which filter answered each case; the status, if it was ours. */
  const answersWith = async (filters: Filters): Promise<Record<string, string>> => {
    const both = await runCompiledAndNest(() => programWith(filters));
    ways.push(both);
    const answers: Record<string, string> = {};
    for (const [name, request] of Object.entries(cases)) {
      const { status, body } = await both.send(request);
      answers[name] = status.startsWith('499') ? JSON.parse(body).by : status.slice(0, 3);
    }
    return answers;
  };

  it('is optional', async () => {
    expect(await answersWith({})).toEqual(ours);
  });

  it('handles the errors of its handler only', async () => {
    const answers = await answersWith({ ofHandler: [filterFor('handler', TypeError)] });
    expect(answers).toEqual({ ...ours, 'type error': 'handler' });
  });

  it('handles the errors of the handlers of its controller, and of their guards and pipes', async () => {
    const ofClass = [filterFor('exceptions', HttpException), filterFor('types', TypeError)];
    expect(await answersWith({ ofClass })).toEqual({
      ...ours,
      'type error': 'types',
      exception: 'exceptions',
    });
  });

  it('handles what it catches wherever it is thrown, if it is global', async () => {
    const global = forAll(filterFor('types', TypeError), filterFor('exceptions', HttpException));
    expect(await answersWith({ global })).toEqual({
      ...ours,
      'type error': 'types',
      exception: 'exceptions',
      'no route': 'exceptions',
      hook: 'types',
      middleware: 'types',
    });
  });

  it('handles every error, if it catches all', async () => {
    const answers = await answersWith({ global: forAll(filterFor('all')) });
    expect(answers).toEqual(
      Object.fromEntries(Object.keys(ours).map((name) => [name, name === 'nothing' ? '200' : 'all'])),
    );
  });

  it('bypasses the serializer of the route', async () => {
    const both = await runCompiledAndNest(() => programWith({ global: forAll(filterFor('all')) }));
    ways.push(both);
    const { headers, body } = await both.send({ path: '/plain/range' });
    expect([body, new Map(headers).get('content-type')]).toEqual([
      '{"by":"all"}',
      'application/json; charset=utf-8',
    ]);
  });

  it('handles the errors of handlers only if it is request-scoped, as in Nest', async () => {
    const answers = await answersWith({ global: forAll(scopedFilterFor('scoped', TypeError)) });
    expect(answers).toEqual({ ...ours, 'type error': 'scoped' });
  });

  it('has precedence the closer it is bound to the handler', async () => {
    const filters = {
      ofHandler: [filterFor('handler', TypeError)],
      ofClass: [filterFor('class', TypeError, RangeError)],
      global: forAll(
        scopedFilterFor('scoped', Error),
        filterFor('types', TypeError),
        filterFor('first'),
        filterFor('last', SyntaxError),
      ),
    };
    expect(await answersWith(filters)).toEqual({
      'type error': 'handler',
      'range error': 'class',
      exception: 'scoped',
      'broken rule': 'scoped',
      'no JSON': 'first',
      'no route': 'first',
      'no token': 'scoped',
      hook: 'first',
      middleware: 'first',
      nothing: '200',
    });
  });
});
