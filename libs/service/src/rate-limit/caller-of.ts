import { addressSubject } from '@app/accounts';
import type { FastifyRequest } from 'fastify';

type CalledBy = FastifyRequest & { readonly user?: unknown };

/** The account of a request, whichever session or API key it comes with, or else its address (of IPv6 a /64): such as `account:7`. */
export function accountOf({ user, ip }: CalledBy): string {
  const { userId }: { userId?: unknown } = Object(user);
  return typeof userId === 'number' ? `account:${userId}` : addressSubject(ip);
}

/** The caller of a request: an API key (apart from its user), or else as {@link accountOf}. */
export function callerOf(request: CalledBy): string {
  const { keyId }: { keyId?: unknown } = Object(request.user);
  return typeof keyId === 'number' ? `key:${keyId}` : accountOf(request);
}
