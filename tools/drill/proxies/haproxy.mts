import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../programs/free-port.mts';
import { type Proxy, proxyOf } from './proxy.mts';

/** The configuration that is deployed. */
const configuration = join(import.meta.dirname, '../../../deploy/haproxy/haproxy.cfg');

/** Starts HAProxy with the configuration in `deploy`, in front of three programs. */
export async function startHaproxy(ports: readonly number[]): Promise<Proxy> {
  const [port, statsPort] = [await freePort(), await freePort()];
  const servers = ports.map((server, at) => [`API_${at + 1}`, `127.0.0.1:${server}`]);
  const env = {
    PATH: process.env.PATH,
    PROXY: `127.0.0.1:${port}`,
    STATS: `127.0.0.1:${statsPort}`,
    ...Object.fromEntries(servers),
  };
  const child = spawn('haproxy', ['-db', '-f', configuration], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  return proxyOf(child, `http://127.0.0.1:${port}`, (program) => isUp(statsPort, `api${program + 1}`));
}

/** Whether a program is up by the HAProxy statistics table. Columns 1 and 2 are proxy and server, column 18 is the status. */
async function isUp(statsPort: number, server: string): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${statsPort}/stats;csv`);
  const lines = (await response.text()).split('\n');
  const columns = lines.find((line) => line.startsWith(`api,${server},`))?.split(',');
  return columns?.[17] === 'UP';
}
