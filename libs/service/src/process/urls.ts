import { networkInterfaces } from 'node:os';

const allInterfaces = new Set(['0.0.0.0', '::']);

/**
 * Lists the URLs at which a program can be reached, local URLs first.
 *
 * @param host the address it listens on
 * @param port the actual port, if `PORT=0`
 * @param prefix the prefix of all paths
 */
export function urlsOf(host: string, port: number, prefix = ''): readonly [string, ...string[]] {
  const urlOf = (address: string) =>
    `http://${address.includes(':') ? `[${address}]` : address}:${port}${prefix}`;
  return allInterfaces.has(host)
    ? [urlOf('localhost'), ...externalAddresses().map((address) => urlOf(address))]
    : [urlOf(host)];
}

function externalAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}
