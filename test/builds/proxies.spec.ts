import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { administrator } from '@app/service/testing';
import { inject } from 'vitest';
import { freePort } from '../../scripts/drill/free-port.mts';
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
  readonly other: number;
}

const startNginx = ({ folder, program, tls, plain, other }: Ports): Running => {
  const values: Record<string, string> = {
    SERVER_NAME: 'localhost',
    HTTP: `127.0.0.1:${plain}`,
    API_TLS: `127.0.0.1:${tls}`,
    ADMIN_TLS: `127.0.0.1:${other}`,
    API: program,
    ADMIN: program,
    TLS: folder,
  };
  const template = readFileSync(join(deploy, 'nginx/sluice.conf.template'), 'utf8');
  const configured = template.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const around = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary} ${configured} }`;
  writeFileSync(join(folder, 'nginx.conf'), around);
  return start('nginx', ['-c', join(folder, 'nginx.conf')], { cwd: folder });
};

const startHaproxy = ({ folder, program, tls, plain, other }: Ports): Running => {
  writeFileSync(
    join(folder, 'both.pem'),
    ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
  );
  const env = {
    PROXY: `127.0.0.1:${plain}`,
    PROXY_TLS: `127.0.0.1:${tls}`,
    STATS: `127.0.0.1:${other}`,
    CERTIFICATE: join(folder, 'both.pem'),
    API_1: program,
    API_2: program,
    API_3: program,
  };
  const files = ['haproxy.cfg', 'tls.cfg'].flatMap((name) => ['-f', join(deploy, 'haproxy', name)]);
  return start('haproxy', ['-db', ...files], { cwd: folder, env });
};

const proxies = [
  { name: 'nginx', run: startNginx },
  { name: 'haproxy', run: startHaproxy },
];

describe.each(proxies)('a program behind $name with TLS', ({ name, run }) => {
  const isInstalled = spawnSync(name, ['-v']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'));
  let program: Program;
  let url: string;
  let plain: number;

  beforeAll(async () => {
    if (!isInstalled) return;
    makeCertificate(folder);
    program = await startProgram(workspace, 'api', {
      DATABASE_URL: `sqlite:${join(folder, 'test.db')}`,
      UPLOAD_DIR: join(folder, 'uploads'),
      TRUST_PROXY: 'loopback',
    });
    const tls = await freePort();
    plain = await freePort();
    url = `https://localhost:${tls}`;
    const proxy = run({ folder, program: new URL(program.url).host, tls, plain, other: await freePort() });
    await untilAnswering(url, proxy);
  });
  afterAll(async () => {
    await endProcesses();
    rmSync(folder, { recursive: true, force: true });
  });

  it.runIf(isInstalled)('answers over TLS, and tells browsers to stay there', async () => {
    const { status, headers } = await ask(`${url}/health/ready`);
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
  });

  it.runIf(isInstalled)('sees the address of the client, and not what the client says', async () => {
    const { headers } = await ask(`${url}/users/me`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const id = String(headers['x-request-id']);
    const line = await program.hear((one) => (one.includes(`"${id}"`) ? one : undefined));
    expect(JSON.parse(line)).toMatchObject({ path: '/users/me', address: '127.0.0.1' });
  });

  it.runIf(isInstalled)(
    'sends the location of a new resource, whatever prefix the client claims',
    async () => {
      const token = await signIn(url);
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-prefix': '/elsewhere' };
      const created = await ask(`${url}/posts`, {
        headers,
        body: JSON.stringify({ slug: 'behind-a-proxy' }),
      });
      expect([created.status, created.headers.location]).toEqual([201, '/posts/behind-a-proxy']);
    },
  );

  it.runIf(isInstalled)('refuses a large body itself, with its own limit', async () => {
    const headers = { authorization: `Bearer ${await signIn(url)}` };
    const body = JSON.stringify({ slug: 'a'.repeat(2_000_000) });
    const refused = await ask(`${url}/posts`, { headers, body });
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([413, { error: 'Payload Too Large' }]);
  });

  it.runIf(isInstalled && name === 'nginx')('is not reached without TLS', async () => {
    const response = await fetch(`http://localhost:${plain}/items?limit=1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'https://localhost/items?limit=1',
    ]);
  });
});

function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const { status, stderr } = spawnSync('openssl', ['req', ...form, '-subj', '/CN=localhost', ...files], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
}

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

/** What a request has beside its URL; with a body it is a POST. */
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
