import { networkInterfaces } from 'node:os';

const everywhere = new Set(['0.0.0.0', '::']);

/**
 * Says under which URLs a program that listens can be asked, the nearest first.
 *
 * @param host the address it was told to listen on
 * @param port the one it really has
 */
export function urlsOf(host: string, port: number): readonly [string, ...string[]] {
  if (!everywhere.has(host)) return [urlOf(host, port)];
  return [urlOf('localhost', port), ...outsideAddresses().map((address) => urlOf(address, port))];
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function outsideAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}
