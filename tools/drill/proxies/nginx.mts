import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '../callers/callers.mts';
import { freePort } from '../programs/free-port.mts';
import { type Proxy, proxyOf } from './proxy.mts';

/** The configuration that is deployed. */
const template = join(import.meta.dirname, '../../../deploy/nginx/sluice.conf.template');

/** The settings for nginx. */
export interface NginxPlan {
  /** The folder for the configuration, the certificate and temporary files. */
  readonly folder: string;
  /** The programs' addresses, such as `127.0.0.1:3000`. */
  readonly programs: readonly string[];
  readonly plain: number;
  readonly tls: number;
  /** The port for `admin`. */
  readonly adminTls: number;
}

/** Writes the configuration in `deploy` with its variables replaced. Returns its path for `nginx -c`. */
export function configureNginx({ folder, programs, plain, tls, adminTls }: NginxPlan): string {
  const values: Record<string, string> = {
    SERVER_NAME: 'localhost',
    HTTP: `127.0.0.1:${plain}`,
    API_TLS: `127.0.0.1:${tls}`,
    ADMIN_TLS: `127.0.0.1:${adminTls}`,
    ADMIN: programs[0] ?? '',
    TLS: folder,
  };
  const configured = readFileSync(template, 'utf8')
    .replace(/.*\$\{API\}.*/, (line) => programs.map((program) => line.replace('${API}', program)).join('\n'))
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const file = join(folder, 'nginx.conf');
  const around = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary} ${configured} }`;
  writeFileSync(file, around);
  return file;
}

/** Writes a certificate for `localhost` and its key, as the configuration expects them. */
export function makeCertificate(folder: string): void {
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const { status, stderr } = spawnSync('openssl', ['req', ...form, '-subj', '/CN=localhost', ...files], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`);
}

/** Starts nginx with the configuration in `deploy`, in front of programs. It does not ask them for their health. */
export async function startNginx(ports: readonly number[], folder: string): Promise<Proxy> {
  const [plain, tls, adminTls] = [await freePort(), await freePort(), await freePort()];
  makeCertificate(folder);
  const programs = ports.map((port) => `127.0.0.1:${port}`);
  const file = configureNginx({ folder, programs, plain, tls, adminTls });
  const child = spawn('nginx', ['-c', file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const url = `https://localhost:${tls}`;
  return proxyOf(child, url, async () => (await call(`${url}/health/live`)).status === 200);
}
