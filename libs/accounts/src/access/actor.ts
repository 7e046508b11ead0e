import type { AuditEvent } from '../audit/audit-log';
import type { Client } from '../devices/client';
import type { ActingCaller } from './sign-in-check';

/** The account that acts, and the client from which it acts. */
export interface Actor {
  /** The account that acts; absent at a command line, and for an owner where nobody else may do the same. */
  readonly id?: number;
  readonly client?: Client;
  /** The sign-in with which the account acts. Whatever outlives the sign-in checks that it was not revoked meanwhile. */
  readonly caller?: ActingCaller;
}

/** Returns a request's actor. */
export function actorOf(caller: ActingCaller, ip?: string): Actor {
  return { id: caller.userId, client: ip === undefined ? undefined : { ip }, caller };
}

/** Returns the audit log's columns for an actor. */
export function recordOf({ id, client }: Actor): Pick<AuditEvent, 'actorId' | 'ip'> {
  return { actorId: id, ip: client?.ip };
}
