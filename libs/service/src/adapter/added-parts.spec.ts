import { AccessTokens, AuthModule, bearerStrategy, Public } from '@app/auth';
import { Returns } from '@app/contract';
import {
  type CallHandler,
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  Query,
  Scope,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { type CompiledAndNest, runCompiledAndNest } from '../../testing/compiled-and-nest';

class Search {
  @IsString() text!: string;
}

/** Records in a response header which parts ran. */
function note(context: ExecutionContext, name: string): void {
  const reply = context.getArgByIndex<FastifyReply>(1);
  const before = reply.getHeader('x-ran');
  void reply.header('x-ran', before === undefined ? name : `${String(before)}, ${name}`);
}

/** Guard, pipe and interceptor in one class; each test binds it as one of them. */
function partOf(name: string): Type<CanActivate & PipeTransform & NestInterceptor> {
  @Injectable()
  class Part implements CanActivate, PipeTransform, NestInterceptor {
    canActivate(context: ExecutionContext): boolean {
      const { user } = context.getArgByIndex<FastifyRequest & { user?: unknown }>(0);
      note(context, user === undefined ? name : `${name} of a caller`);
      return true;
    }

    transform(value: unknown): unknown {
      return value instanceof Search ? Object.assign(value, { text: `${value.text}, ${name}` }) : value;
    }

    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      note(context, name);
      return next.handle().pipe(tap(() => note(context, `after ${name}`)));
    }
  }
  return Part;
}

function scopedPartOf(name: string): ReturnType<typeof partOf> {
  @Injectable({ scope: Scope.REQUEST })
  class Scoped extends partOf(name) {}
  return Scoped;
}

const [ofHandler, ofClass, ofParameter] = ['handler', 'class', 'parameter'].map(partOf);

@Controller('guarded')
@UseGuards(ofClass)
class GuardedController {
  @Get()
  @UseGuards(ofHandler)
  guarded(): string {
    return 'guarded';
  }
}

@Controller()
@Public()
class PartsController {
  @Get('intercepted')
  @UseInterceptors(ofClass, ofHandler)
  intercepted(): string {
    return 'intercepted';
  }

  @Get('piped')
  @UsePipes(ofClass, ofHandler)
  @Returns('anything')
  piped(@Query(ofParameter) query: Search): Search {
    return query;
  }

  @Get('plain')
  @Returns('anything')
  plain(@Query() query: Search): Search {
    return query;
  }
}

const tokens = new AccessTokens({ secret: 'a secret of tests, long enough to sign with', ttlSeconds: 60 });
const strategy = bearerStrategy({ name: 'jwt', tokens, check: ({ sub }) => ({ userId: sub }) });
const authorization = `Bearer ${tokens.sign({ sub: 1, username: 'ada' })}`;

@Module({})
class Root {}

@Module({})
class Later {}

const each = (provide: string, ...parts: Type[]): Provider[] =>
  parts.map((useClass) => ({ provide, useClass }));

function programWith(providers: Provider[], ofLater: Provider[] = []): DynamicModule {
  const auth = AuthModule.forRootAsync({ useFactory: () => ({ strategies: [strategy] }) });
  return {
    module: Root,
    imports: [auth, { module: Later, providers: ofLater }],
    controllers: [GuardedController, PartsController],
    providers,
  };
}

describe('what an application adds for all routes', () => {
  const ways: CompiledAndNest[] = [];
  afterEach(async () => void (await Promise.all(ways.splice(0).map((way) => way.close()))));

  const run = async (module: DynamicModule) => {
    const both = await runCompiledAndNest(() => module);
    ways.push(both);
    return async (path: string) => {
      const { status, headers, body } = await both.send({ path, headers: { authorization } });
      return { status, body, ran: new Map(headers).get('x-ran') };
    };
  };

  it('guards in the order of the modules, then request-scoped ones', async () => {
    const providers = each(APP_GUARD, scopedPartOf('scoped'), partOf('first'), partOf('second'));
    const get = await run(programWith(providers, each(APP_GUARD, partOf('later'))));
    const { ran } = await get('/guarded');
    expect(ran).toBe(
      'first, second, later of a caller, scoped of a caller, class of a caller, handler of a caller',
    );
  });

  it('pipes after our own, before those of class, handler and parameter', async () => {
    const get = await run(programWith(each(APP_PIPE, scopedPartOf('scoped'), partOf('first'))));
    expect((await get('/piped?text=a')).body).toBe('{"text":"a, first, scoped, class, handler, parameter"}');
    expect((await get('/plain?text=a')).body).toBe('{"text":"a, first, scoped"}');
    expect((await get('/plain?other=a')).status).toBe('400 Bad Request');
  });

  it('intercepts around those of class and handler', async () => {
    const providers = each(APP_INTERCEPTOR, scopedPartOf('scoped'), partOf('first'), partOf('second'));
    const get = await run(programWith(providers));
    const before = 'first, second, scoped, class, handler';
    const after = 'after handler, after class, after scoped, after second, after first';
    expect((await get('/intercepted')).ran).toBe(`${before}, ${after}`);
  });

  it.each(['/plain?text=a', '/health', '/health/live', '/openapi.json', '/docs'])(
    'runs on %s too',
    async (path) => {
      const providers = [
        ...each(APP_GUARD, partOf('guard')),
        ...each(APP_INTERCEPTOR, partOf('interceptor')),
      ];
      const get = await run(programWith(providers));
      expect((await get(path)).ran).toContain('guard, interceptor');
    },
  );
});
