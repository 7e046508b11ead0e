import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Public } from '@app/auth';
import { Database, openDatabase, PersistenceModule } from '@app/persistence';
import { ContractError } from '@app/contract';
import { temporaryDatabase } from '@app/persistence/testing';
import { Returns } from '@app/contract';
import {
  Controller,
  Get,
  Logger,
  Module,
  Param,
  Post,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { map } from 'rxjs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logs, makeLog } from '../logs/open-logs';
import { readSettings } from '../settings/read-settings';
import { serviceSettings } from './service-settings';
import { createProgram } from './create-program.bootstrap';

/** Requests that wait for the test, so that nothing depends on how fast it is. */
class Gate {
  private arrive: () => void = () => undefined;
  readonly arrived = new Promise<void>((resolve) => (this.arrive = resolve));
  open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => (this.open = resolve));

  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }
}

let gate = new Gate();

@Controller()
@Public()
class TestController {
  @Get('slow')
  @Returns('text')
  async slow(): Promise<string> {
    await gate.pass();
    return 'late but whole';
  }

  @Get('things/:id')
  read(@Param('id') id: string): string {
    return id;
  }

  @Post('fails')
  @Returns('nothing')
  fail(): never {
    new Logger('Test').log('about to fail');
    new Logger('Test').error('work failed', new TypeError('why'));
    throw new Error('the cause');
  }
}

/** Sends half of a file, and fails. */
function failingFile(): StreamableFile {
  async function* parts() {
    yield Buffer.alloc(100_000);
    await Promise.reject(new Error('the disk is gone'));
  }
  return new StreamableFile(Readable.from(parts()));
}

@Controller()
@Public()
class FileController {
  @Get('compiled')
  @Returns('bytes')
  sendCompiled(): StreamableFile {
    return failingFile();
  }

  @Get('foreign')
  @UseInterceptors({ intercept: (_context, next) => next.handle().pipe(map((value: unknown) => value)) })
  @Returns('bytes')
  sendForeign(): StreamableFile {
    return failingFile();
  }
}

@Module({ controllers: [TestController, FileController] })
class TestModule {}

const settings = readSettings(serviceSettings, {});
const programs: NestFastifyApplication[] = [];
afterEach(() => Promise.all(programs.splice(0).map((app) => app.close())));

async function program(module: Parameters<typeof createProgram>[0]['module'] = TestModule, logs?: Logs) {
  const app = await createProgram({ name: 'api', module, settings, logs });
  programs.push(app);
  return app;
}

/** Listens, and opens a connection for raw HTTP. */
async function connected(app: NestFastifyApplication): Promise<Socket> {
  await app.listen(0, '127.0.0.1');
  const socket = connect(Number(new URL(await app.getUrl()).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function noLongerListening(app: NestFastifyApplication): Promise<boolean> {
  return vi.waitUntil(() => !app.getHttpServer().listening, { interval: 1 });
}

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

describe('a program', () => {
  it('is complete before it listens', async () => {
    const app = await program();
    const answer = await app.inject({ url: '/things/7' });
    expect([answer.statusCode, answer.body]).toEqual([200, '7']);
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('logs an error with the id that the caller received, the cause that a service passes, and Nest’s start messages at debug', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = makeLog('api', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
    const app = await program(TestModule, { log, flush: () => Promise.resolve() });
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['debug']));

    lines.length = 0;
    const answer = await app.inject({ method: 'POST', url: '/fails' });
    const requestId = answer.headers['x-request-id'];
    expect(lines).toMatchObject([
      { level: 'info', context: 'Test', msg: 'about to fail' },
      { level: 'error', context: 'Test', msg: 'work failed', err: { type: 'TypeError', message: 'why' } },
      { level: 'error', requestId, err: { message: 'the cause' } },
      { level: 'error', requestId, status: 500 },
    ]);
  });

  it.each(['compiled', 'foreign'])('logs why a file ended early, on a %s route', async (path) => {
    const lines: Record<string, unknown>[] = [];
    const log = makeLog('api', 'info', { write: (line) => lines.push(JSON.parse(line)) });
    const app = await program(TestModule, { log, flush: () => Promise.resolve() });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/${path}`);
    await expect(response.text()).rejects.toThrow('terminated');
    const cause = {
      msg: 'error after headers sent',
      route: `/${path}`,
      err: { message: 'the disk is gone' },
    };
    await vi.waitFor(() =>
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'error', ...cause, err: expect.objectContaining(cause.err) }),
      ),
    );
  });

  it('releases its resources when a module fails to start', async () => {
    const ended: string[] = [];
    @Module({})
    class Broken {
      onModuleInit(): never {
        throw new Error('cannot start');
      }

      onApplicationShutdown(): void {
        ended.push('ended');
      }
    }
    await expect(createProgram({ name: 'api', module: Broken, settings })).rejects.toThrow('cannot start');
    expect(ended).toEqual(['ended']);
  });
});

describe('a program whose contract is not complete', () => {
  it('does not migrate the database', async () => {
    @Controller()
    class Undeclared {
      @Get('undeclared')
      read(): object {
        return {};
      }
    }
    const database = await temporaryDatabase();
    const module = {
      module: TestModule,
      controllers: [Undeclared],
      imports: [PersistenceModule.forRoot({ url: database.url })],
    };
    await expect(createProgram({ name: 'api', module, settings })).rejects.toThrow(ContractError);

    const db = openDatabase(database.url);
    expect(await db.introspection.getTables()).toEqual([]);
    await db.destroy();
    await database.remove();
  });
});

describe('health', () => {
  it('is 200 for a program without a store', async () => {
    const app = await program();
    for (const url of ['/health', '/health/ready', '/health/live']) {
      const answer = await app.inject({ url });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  it('is 200 while the store is available, and 503 while it is not; liveness stays 200', async () => {
    const database = await temporaryDatabase();
    const app = await program({
      module: TestModule,
      imports: [PersistenceModule.forRoot({ url: database.url })],
    });
    const there = await app.inject({ url: '/health/ready' });
    expect([there.statusCode, there.json()]).toEqual([
      200,
      { status: 'ok', checks: { store: 'ok', writes: true } },
    ]);

    await app.get(Database).destroy();
    for (const path of ['/health/ready', '/health']) {
      const away = await app.inject({ url: path });
      expect([away.statusCode, away.json()]).toEqual([
        503,
        { status: 'unavailable', checks: { store: 'unavailable', writes: false } },
      ]);
      expect(away.headers['retry-after']).toBe('5');
    }
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
    await app.close();
    await database.remove();
  });
});

// Fault 11 of the stock stack: SIGTERM cut a request in flight.
describe('a program that shuts down', () => {
  beforeEach(() => {
    gate = new Gate();
  });

  it('answers accepted requests, and accepts no new connection', async () => {
    const app = await program();
    const socket = await connected(app);
    const url = new URL(await app.getUrl());
    socket.write(ask('/slow'));
    await gate.arrived;

    const stopped = once(app.getHttpServer(), 'close');
    const closed = app.close();
    await noLongerListening(app);
    gate.open();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*late but whole$/i);
    await Promise.all([closed, stopped]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  it('is not ready any more', async () => {
    const app = await program();
    const socket = await connected(app);
    socket.write(ask('/health/live'));
    await once(socket, 'data');
    const [begun, rest] = [ask('/health/ready').slice(0, 20), ask('/health/ready').slice(20)];
    socket.write(begun);
    const closed = app.close();
    await noLongerListening(app);
    socket.write(rest);
    expect(await text(socket)).toMatch(/503 Service Unavailable[^]*"status":"draining"/);
    await closed;
  });

  it('does not wait for a client that keeps its connection alive', async () => {
    const app = await program();
    const socket = await connected(app);
    socket.write(ask('/health/live'));
    await once(socket, 'data');
    const gone = once(socket, 'close');
    await app.close();
    await gone;
    expect(socket.destroyed).toBe(true);
  });
});
