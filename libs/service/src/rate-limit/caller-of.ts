import { addressSubject } from '@app/accounts';
import type { FastifyRequest } from 'fastify';
import type { CallerKey } from './rate-window';

/** The caller of a request: a user, an API key (apart from its user), or else an address (of IPv6 a /64). */
export function callerOf(request: FastifyRequest & { readonly user?: unknown }): CallerKey {
  const { userId, keyId }: { userId?: unknown; keyId?: unknown } = Object(request.user);
  if (typeof keyId === 'number') return `key:${keyId}`;
  if (typeof userId === 'number') return userId;
  const { ip } = request;
  return ip.includes(':') ? addressSubject(ip) : ip;
}
