import { addressSubject } from '@app/accounts';
import type { FastifyRequest } from 'fastify';
import type { CallerKey } from './rate-window';

type CalledBy = FastifyRequest & { readonly user?: unknown };

/** The account of a request, whichever session or API key it comes with, or else its address (of IPv6 a /64). */
export function accountOf(request: CalledBy): CallerKey {
  const { userId }: { userId?: unknown } = Object(request.user);
  if (typeof userId === 'number') return userId;
  const { ip } = request;
  return ip.includes(':') ? addressSubject(ip) : ip;
}

/** The caller of a request: an API key (apart from its user), or else as {@link accountOf}. */
export function callerOf(request: CalledBy): CallerKey {
  const { keyId }: { keyId?: unknown } = Object(request.user);
  return typeof keyId === 'number' ? `key:${keyId}` : accountOf(request);
}
