import 'reflect-metadata';
import { Readable } from 'node:stream';
import {
  type CallHandler,
  ClassSerializerInterceptor,
  type ClassSerializerInterceptorOptions,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  HttpException,
  type INestApplication,
  Injectable,
  type NestInterceptor,
  Post,
  Redirect,
  Res,
  Scope,
  SerializeOptions,
  Sse,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { map, of } from 'rxjs';
import { writeReplies } from './write-replies.bootstrap';

class Part {
  @Expose() count = 1;
  @Exclude() secret = 's';
}

class Whole {
  @Expose() id = 1;
  @Exclude() password = 'p';
  @Type(() => Part) parts = [new Part(), new Part()];
  @Expose({ groups: ['staff'] }) note = 'n';
  @Transform(({ options }) => JSON.stringify(options)) options = '';
  @Type(() => Date) at = new Date(0);
  text = '<é\u2028>';
}

class Faulty {
  @Expose() get id(): number {
    throw new RangeError('a fault');
  }
}

@Injectable()
class Wrapping implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((whole: unknown) => ({ whole, inner: new Part() })));
  }
}

interface Reply {
  status(code: number): Reply;
  header?(name: string, value: string): unknown;
}

@Controller()
class Wholes {
  @Get('one') one() {
    return new Whole();
  }
  @Get('list') list() {
    return [new Whole(), { plain: 1, password: 'sent' }, null, 7, [new Part()]];
  }
  @Get('empty') empty() {
    return [];
  }
  @Get('page') page() {
    return { items: [new Whole()], total: 1 };
  }
  @Get('row') @SerializeOptions({ type: Whole, groups: ['staff'] }) row() {
    return { id: 2, password: 'p', note: 'm', more: true };
  }
  @Get('typed') @SerializeOptions({ type: Whole, groups: ['staff'] }) typed() {
    return [new Whole(), undefined];
  }
  @Get('exposed') @SerializeOptions({ strategy: 'excludeAll', excludePrefixes: ['n'] }) async exposed() {
    return new Whole();
  }
  @Get('observable') observable() {
    return of(new Whole());
  }
  @Get('wrapped') @UseInterceptors(Wrapping) wrapped() {
    return new Whole();
  }
  @Get('map') aMap() {
    return new Map([['a', new Part()]]);
  }
  @Get('date') date() {
    return new Date(0);
  }
  @Get('text') text() {
    return 'text';
  }
  @Get('nothing') nothing() {
    return undefined;
  }
  @Get('file') file() {
    return new StreamableFile(Buffer.from('bytes'));
  }
  @Get('stream') stream() {
    return Readable.from([new Part(), 'text', new Part()]);
  }
  @Sse('events') events() {
    return of({ data: new Part() }, { data: 'text' });
  }
  @Get('redirect') @Redirect('/one') redirect() {
    return { url: '/list', statusCode: 307, password: 'p' };
  }
  @Get('media') @Header('content-type', 'application/vnd.api+json') media() {
    return new Whole();
  }
  @Get('gone') @HttpCode(410) gone() {
    return new Whole();
  }
  @Get('passthrough') passthrough(@Res({ passthrough: true }) reply: Reply) {
    reply.status(418).header?.('x-more', '1');
    return new Whole();
  }
  @Post('created') created() {
    return new Whole();
  }
  @Get('faulty') faulty() {
    return new Faulty();
  }
  @Get('error') error() {
    throw new HttpException(new Part(), 409);
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
@SerializeOptions({ groups: ['staff'] })
class Scoped {
  @Get() one() {
    return new Whole();
  }
}

class Program {}
const module = { module: Program, controllers: [Wholes, Scoped], providers: [Wrapping] };
type Prepare = (app: INestApplication) => unknown;

const adapters: Record<string, () => Promise<INestApplication>> = {
  fastify: () => NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false }),
  express: () => NestFactory.create<NestExpressApplication>(module, { logger: false }),
};

const gets = Reflect.ownKeys(Wholes.prototype).flatMap((name) => {
  const path: unknown = Reflect.getMetadata('path', Reflect.get(Wholes.prototype, name));
  return typeof path === 'string' && path !== 'created' ? [path] : [];
});
const asked: [method: string, path: string][] = [
  ...[...gets, 'scoped', 'scoped', 'one', 'unknown'].map((path): [string, string] => ['GET', path]),
  ['POST', 'created'],
  ['HEAD', 'one'],
];

/** The responses of a program for all requests: status, headers and bytes. */
async function responsesOf(adapter: string, prepare: Prepare): Promise<unknown[]> {
  const app = await adapters[adapter]();
  prepare(app);
  await app.listen(0, '127.0.0.1');
  try {
    const url = await app.getUrl();
    const responses = asked.map(async ([method, path]) => {
      const response = await fetch(`${url}/${path}`, { method, redirect: 'manual' });
      const { date: _, ...headers } = Object.fromEntries(response.headers);
      return [method, path, response.status, headers, await response.text()];
    });
    return await Promise.all(responses);
  } finally {
    await app.close();
  }
}

const intercepted =
  (options: ClassSerializerInterceptorOptions): Prepare =>
  (app) =>
    app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector), options));
const written =
  (options: ClassSerializerInterceptorOptions): Prepare =>
  (app) =>
    writeReplies(app, options);

describe.each(['fastify', 'express'])('replies that are written without an interceptor, on %s', (adapter) => {
  it.each<ClassSerializerInterceptorOptions>([{}, { groups: ['staff'] }, { strategy: 'excludeAll' }])(
    'are those of the interceptor with %j',
    async (options) => {
      const ours = await responsesOf(adapter, written(options));
      expect(ours).toEqual(await responsesOf(adapter, intercepted(options)));
      expect(JSON.stringify(ours)).toContain('1970-01-01');
    },
  );

  it('are written once, from the instance', async () => {
    const plain = vi.spyOn(ClassSerializerInterceptor.prototype, 'serialize');
    const app = await adapters[adapter]();
    writeReplies(app);
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/one`);
    expect(await response.json()).toMatchObject({ id: 1, parts: [{ count: 1 }, { count: 1 }] });
    expect(plain).not.toHaveBeenCalled();
    await app.close();
    plain.mockRestore();
  });

  it('are those of the interceptor in a program that writes JSON in its own way', async () => {
    const ways: Record<string, Prepare[]> = {
      express: [
        (app) => (app as NestExpressApplication).set('json spaces', 2),
        (app) =>
          (app as NestExpressApplication).set('json replacer', (key: string, value: unknown) =>
            key === 'id' ? 7 : value,
          ),
        (app) =>
          app.use((_: unknown, response: any, next: () => void) => {
            const { json } = response;
            response.json = (body: object) => json.call(response, { body });
            next();
          }),
      ],
      fastify: [
        (app) =>
          app
            .getHttpAdapter()
            .getInstance()
            .setReplySerializer((body: unknown) => JSON.stringify({ body })),
        (app) =>
          app
            .getHttpAdapter()
            .getInstance()
            .addHook('preSerialization', async (_: unknown, __: unknown, body: unknown) => ({ body })),
      ],
    };
    for (const way of ways[adapter]) {
      const both = [written({}), intercepted({})].map((prepare) =>
        responsesOf(adapter, (app) => [way(app), prepare(app)]),
      );
      expect(await both[0]).toEqual(await both[1]);
    }
  });

  it('are those of the interceptor where the router is not known', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const ours = await responsesOf(adapter, (app) => {
      const hidden: INestApplication = Object.create(app, { routesResolver: { value: undefined } });
      writeReplies(hidden);
    });
    expect(ours).toEqual(await responsesOf(adapter, intercepted({})));
    for (const [sentence] of warned.mock.calls)
      expect(sentence).toContain('the router of this NestJS is not');
    warned.mockRestore();
  });
});
