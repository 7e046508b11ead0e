import { BlockList, isIP } from 'node:net';

/** Whose word about a caller's address counts, as Fastify takes it: nobody's, or these networks'. */
export type TrustedProxies = false | readonly string[];

const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Reads who stands in front of the program: `off`, or a list of addresses, networks (`10.0.0.0/8`) and names of
 * networks (`loopback`, `linklocal`, `uniquelocal`).
 *
 * Neither everybody nor a number of hops is one of these: whoever reached the program past the proxy could then
 * write down any address as theirs.
 *
 * @returns `undefined` if it is none of these
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (text === 'off') return false;
  const networks = text.split(',').map((part) => part.trim());
  return networks.every(isNetwork) ? networks : undefined;
}

function isNetwork(text: string): boolean {
  return NETWORKS.has(text) || isIP(text) > 0 || isSubnet(text);
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
