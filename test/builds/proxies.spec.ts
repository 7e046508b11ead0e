import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { administrator } from '@app/service/testing';
import { inject } from 'vitest';
import { freePort } from '../../tools/drill/programs/free-port.mts';
import { startHaproxy } from '../../tools/drill/proxies/haproxy.mts';
import { configureNginx, makeCertificate } from '../../tools/drill/proxies/nginx.mts';
import { isInstalled } from '../../tools/drill/proxies/proxy.mts';
import { endProcesses, type Running, start } from './processes';
import { type Program, startProgram } from './programs';

const workspace = inject('builds')[0]?.workspace ?? '';
const deploy = join(__dirname, '../../deploy');

/** Ports and files of a proxy with TLS. */
interface Ports {
  readonly folder: string;
  readonly program: string;
  readonly tls: number;
  readonly plain: number;
  readonly adminTls: number;
}

const startNginxTls = ({ program, ...plan }: Ports): Running =>
  start('nginx', ['-c', configureNginx({ ...plan, programs: [program] })], { cwd: plan.folder });

const startHaproxyTls = ({ folder, program, tls, plain, adminTls }: Ports): Running => {
  writeFileSync(
    join(folder, 'both.pem'),
    ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
  );
  const env = {
    PROXY: `127.0.0.1:${plain}`,
    PROXY_TLS: `127.0.0.1:${tls}`,
    STATS: `127.0.0.1:${adminTls}`,
    CERTIFICATE: join(folder, 'both.pem'),
    API_1: program,
    API_2: program,
    API_3: program,
  };
  const files = ['haproxy.cfg', 'tls.cfg'].flatMap((name) => ['-f', join(deploy, 'haproxy', name)]);
  return start('haproxy', ['-db', ...files], { cwd: folder, env });
};

const proxies = [
  { name: 'nginx', run: startNginxTls },
  { name: 'haproxy', run: startHaproxyTls },
] as const;

describe.each(proxies)('a program behind $name with TLS', ({ name, run }) => {
  const isRun = isInstalled(name);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'));
  let program: Program;
  let url: string;
  let plain: number;

  beforeAll(async () => {
    if (!isRun) return;
    makeCertificate(folder);
    program = await startProgram(workspace, 'api', {
      DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
      UPLOAD_DIR: join(folder, 'uploads'),
      TRUST_PROXY: 'loopback',
    });
    const tls = await freePort();
    plain = await freePort();
    url = `https://localhost:${tls}`;
    const proxy = run({ folder, program: new URL(program.url).host, tls, plain, adminTls: await freePort() });
    await untilAnswering(url, proxy);
  });
  afterAll(async () => {
    await endProcesses();
    rmSync(folder, { recursive: true, force: true });
  });

  it.runIf(isRun)('answers over TLS, and tells browsers to stay there', async () => {
    const { status, headers } = await ask(`${url}/health/ready`);
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
  });

  it.runIf(isRun)('sees the address of the client, and not what the client says', async () => {
    const { headers } = await ask(`${url}/users/me`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const id = String(headers['x-request-id']);
    const line = await program.hear((output) => (output.includes(`"${id}"`) ? output : undefined));
    expect(JSON.parse(line)).toMatchObject({ path: '/users/me', address: '127.0.0.1' });
  });

  it.runIf(isRun)('sends the location of a new resource, whatever prefix the client claims', async () => {
    const token = await signIn(url);
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-prefix': '/elsewhere' };
    const created = await ask(`${url}/posts`, {
      headers,
      body: JSON.stringify({ slug: 'behind-a-proxy' }),
    });
    expect([created.status, created.headers.location]).toEqual([201, '/posts/behind-a-proxy']);
  });

  it.runIf(isRun)('refuses a large body itself, with its own limit', async () => {
    const headers = { authorization: `Bearer ${await signIn(url)}` };
    const body = JSON.stringify({ slug: 'a'.repeat(2_000_000) });
    const refused = await ask(`${url}/posts`, { headers, body });
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([413, { error: 'Payload Too Large' }]);
  });

  it.runIf(isRun && name === 'nginx')('is not reached without TLS', async () => {
    const response = await fetch(`http://localhost:${plain}/items?limit=1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'https://localhost/items?limit=1',
    ]);
  });
});

describe('haproxy', () => {
  const isRun = isInstalled('haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'));
  afterAll(async () => {
    await endProcesses();
    rmSync(folder, { recursive: true, force: true });
  });

  it.runIf(isRun)('sends requests to programs that are not ready, if none is', async () => {
    const program = await startProgram(workspace, 'api', {
      DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
      DRAIN_DELAY: '10m',
    });
    const port = Number(new URL(program.url).port);
    const proxy = await startHaproxy([port, port, port]);
    await proxy.untilUp(2);
    program.child.kill('SIGTERM');
    for (const server of [0, 1, 2]) await proxy.untilDown(server);
    const ready = await fetch(`${proxy.url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'draining' }]);
    expect((await fetch(`${proxy.url}/health/live`)).status).toBe(200);
    await proxy.stop();
  });
});

/** Tries again until the proxy listens, and knows that the program is up. */
async function untilAnswering(url: string, proxy: Running): Promise<void> {
  while (proxy.child.exitCode === null) {
    const { status } = await ask(`${url}/health/live`).catch(() => ({ status: 0 }));
    if (status === 200) return;
  }
  throw new Error(`the proxy has exited:\n${proxy.lines.join('\n')}`);
}

async function signIn(url: string): Promise<string> {
  const { email: username, password } = administrator;
  const { body } = await ask(`${url}/auth/login`, { body: JSON.stringify({ username, password }) });
  const { access_token: token }: { access_token: string } = JSON.parse(body);
  return token;
}

/** The parts of a request besides its URL. A request with a body is a POST. */
interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(url: string, { headers, body }: Asked = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      rejectUnauthorized: false,
    };
    const outgoing = request(url, options, (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((read) => resolve({ status, headers: response.headers, body: read }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
