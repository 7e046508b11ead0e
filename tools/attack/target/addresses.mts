import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { isLoopback } from './program-meter.mts';

const candidates = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];

/**
 * Returns addresses on this machine to attack from, so that the regular caller has a separate address. Linux has all of
 * 127.0.0.0/8. The list is empty on other systems, and for services on other machines.
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

/** Rotates the addresses. Failed sign-ins count for the first address and must not stop later checks. */
export function rotated(addresses: readonly string[], by: number): readonly string[] {
  const at = by % Math.max(1, addresses.length);
  return [...addresses.slice(at), ...addresses.slice(0, at)];
}

/** Returns an address that this check alone may exhaust; `undefined` if the machine has only a single address. */
export function unusedAddress(addresses: readonly string[]): string | undefined {
  const parts = [1, 2, 3].map(() => randomInt(1, 255));
  return addresses.length > 0 ? `127.${parts.join('.')}` : undefined;
}
