import { createProgram, readSettings } from '@app/service';
import { storeChannels } from '@app/persistence';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { administrator, Client, type GatheredLog, gatherLog } from '@app/service/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { program } from '../src/api.program';
import { type CollectedSpan, type OtlpCollector, startCollector } from '../testing/otlp-collector';

const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';
const traceparent = `00-${callerTrace}-${callerSpan}-01`;

describe('a program that is traced', () => {
  let database: TemporaryDatabase;
  let collector: OtlpCollector;
  let log: GatheredLog;
  let app: NestFastifyApplication;

  beforeEach(async () => {
    [database, collector, log] = [await temporaryDatabase(), await startCollector(), gatherLog()];
  });
  afterEach(async () => {
    await collector.stop();
    await database.remove();
  });

  async function start(env: Readonly<Record<string, string>> = {}): Promise<Client> {
    const settings = readSettings(program.declarations, {
      DATABASE_URL: database.url,
      JWT_SECRET: 'a secret of tests, long enough to sign with',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      MAX_DELAY: 'off',
      ...env,
    });
    const { name, schemas, tables, module } = program;
    app = await createProgram({ name, schemas, tables, module: module(settings), settings, logs: log.logs });
    await app.listen(0, '127.0.0.1');
    return new Client(await app.getUrl()).signIn(administrator.email, administrator.password);
  }

  /** Stops the program, which sends what is left. */
  async function spansOf(traceId: string): Promise<readonly CollectedSpan[]> {
    await app.close();
    return collector.spans.filter((span) => span.traceId === traceId);
  }

  it('continues the trace of its caller into the request and its statements', async () => {
    const client = await start();
    const caller = client.with({ traceparent });
    expect((await caller.post('/posts?token=SECRET', { slug: 'a-secret-slug' })).status).toBe(201);
    expect((await caller.get('/posts/a-secret-slug')).status).toBe(200);

    const spans = await spansOf(callerTrace);
    const requests = spans.filter(({ parentSpanId }) => parentSpanId === callerSpan);
    expect(requests.map(({ name }) => name)).toEqual(['POST /posts', 'GET /posts/:slug']);
    expect(requests[0]?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/posts',
      'http.response.status_code': '201',
      'client.address': '127.0.0.1',
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === requests[0]?.spanId);
    expect(statements.find(({ name }) => name === 'INSERT post')).toMatchObject({
      attributes: { 'db.operation.name': 'INSERT', 'db.collection.name': 'post' },
      resource: { 'service.name': 'sluice-api' },
    });
    expect(JSON.stringify(spans.filter((span) => !requests.includes(span)))).not.toContain('a-secret-slug');
    expect(JSON.stringify(spans)).not.toContain('SECRET');
  });

  it('has the trace in the lines of the log', async () => {
    const client = await start({ LOG_CALLERS: 'off', OTEL_SERVICE_NAME: 'orders' });
    await client.with({ traceparent }).get('/items');
    const [request] = await spansOf(callerTrace);
    const completed = log.lines().filter(({ msg, path }) => msg === 'request completed' && path === '/items');
    expect(completed.map(({ traceId }) => traceId)).toEqual([callerTrace]);
    expect(request?.resource['service.name']).toBe('orders');
    expect(JSON.stringify(collector.spans)).not.toContain('client.address');
  });

  it('traces what its sampler says, and no health checks', async () => {
    const client = await start();
    await client.with({ traceparent: traceparent.replace(/01$/, '00') }).get('/items');
    await client.with({ traceparent }).get('/health/ready');
    expect(await spansOf(callerTrace)).toEqual([]);
    expect(collector.spans.map(({ name }) => name)).toContain('POST /auth/login');
  });

  it('traces nothing with always_off', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    await app.close();
    expect(collector.spans).toEqual([]);
  });

  it('compiles its routes as without', async () => {
    await start();
    const traced = Reflect.get(app.getHttpAdapter(), 'compiled').names;
    await app.close();
    await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect(traced.size).toBeGreaterThan(10);
    expect([...traced]).toEqual([...Reflect.get(app.getHttpAdapter(), 'compiled').names]);
    expect(storeChannels.statement.hasSubscribers).toBe(false);
    await app.close();
    expect(collector.spans.filter(({ name }) => name === 'POST /auth/login')).toHaveLength(1);
  });

  it('goes on without a collector, and says so once', async () => {
    const client = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect((await client.get('/items')).status).toBe(200);
    await app.close();
    const warned = log.lines().filter(({ msg }) => msg === 'trace export failed');
    expect(warned).toEqual([
      expect.objectContaining({
        level: 'warn',
        url: 'http://127.0.0.1:1/v1/traces',
        reason: expect.any(String),
      }),
    ]);
  });
});

describe('the settings of OpenTelemetry', () => {
  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
    { OTEL_TRACES_SAMPLER: 'sometimes' },
    { OTEL_TRACES_SAMPLER_ARG: '2' },
  ])('are invalid: %j', (env) => {
    const [name = ''] = Object.keys(env);
    expect(() => readSettings(program.declarations, env)).toThrow(`${name} must be`);
  });
});
