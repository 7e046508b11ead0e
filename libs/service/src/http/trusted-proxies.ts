import { BlockList, isIP } from 'node:net';

/** The value for Fastify's `trustProxy`: `false`, or the trusted addresses and networks. */
export type TrustedProxies = false | readonly string[];

const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Reads the trusted proxies: `off`, or a list of addresses, networks (`10.0.0.0/8`) and named networks (`loopback`, `linklocal`,
 * `uniquelocal`).
 *
 * `true` and hop counts are not supported, because a client that bypasses the proxy could then forge its address.
 *
 * @returns `undefined` for any other text
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'off') return false;
  const networks = text.split(',').map((part) => part.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  return networkNames.has(text) || isIP(text) > 0 || isSubnet(text);
}

function isSubnet(text: string): boolean {
  const [address = '', bits = '', surplus] = text.split('/');
  const family = isIP(address);
  if (family === 0 || surplus !== undefined || !/^\d{1,3}$/.test(bits) || bits === '0') return false;
  try {
    new BlockList().addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
