import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { isLoopback } from './program-meter.mts';

const candidates = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];

/**
 * Addresses of this machine to attack from, so that the regular caller has an address of its own. Linux has all of
 * 127.0.0.0/8; elsewhere, and for services on other machines, there are none.
 */
export async function attackAddresses(url: string): Promise<readonly string[]> {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname) || hostname.includes(':')) return [];
  const usable = await Promise.all(candidates.map(canBind));
  return usable.every(Boolean) ? candidates : [];
}

function canBind(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(0, address, () => server.close(() => resolve(true)));
  return promise;
}

/** The addresses in another order: failed sign-ins count for the first one, and must not stop what comes later. */
export function rotated(addresses: readonly string[], by: number): readonly string[] {
  const at = by % Math.max(1, addresses.length);
  return [...addresses.slice(at), ...addresses.slice(0, at)];
}

/** An address that no other check sends from: what it uses up is missed nowhere. `undefined` where there is one address alone. */
export function unusedAddress(addresses: readonly string[]): string | undefined {
  const parts = [1, 2, 3].map(() => randomInt(1, 255));
  return addresses.length > 0 ? `127.${parts.join('.')}` : undefined;
}
