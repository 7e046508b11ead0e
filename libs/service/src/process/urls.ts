import { networkInterfaces } from 'node:os';

const allInterfaces = new Set(['0.0.0.0', '::']);

/**
 * Lists the URLs under which a program can be reached, local ones first.
 *
 * @param host the address it listens on
 * @param port the actual port, if `PORT=0`
 */
export function urlsOf(host: string, port: number): readonly [string, ...string[]] {
  if (!allInterfaces.has(host)) return [urlOf(host, port)];
  return [urlOf('localhost', port), ...externalAddresses().map((address) => urlOf(address, port))];
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function externalAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}
