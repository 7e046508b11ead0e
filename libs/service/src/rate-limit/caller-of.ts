import { addressSubject } from '@app/accounts';
import type { FastifyRequest } from 'fastify';

type CalledBy = FastifyRequest & { readonly user?: unknown };

/** Returns the account behind a session or an API key, such as `account:7`, or else a request's address (for IPv6 its /64). */
export function accountOf({ user, ip }: CalledBy): string {
  const { userId }: { userId?: unknown } = Object(user);
  return typeof userId === 'number' ? `account:${userId}` : addressSubject(ip);
}

/** Returns the caller: an API key (apart from its user), or else the {@link accountOf} result. */
export function callerOf(request: CalledBy): string {
  const { keyId }: { keyId?: unknown } = Object(request.user);
  return typeof keyId === 'number' ? `key:${keyId}` : accountOf(request);
}
