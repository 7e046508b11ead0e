import type { AuditEvent } from '../audit/audit-log';
import type { Client } from '../devices/client';
import type { ActingCaller } from './sign-in-check';

/** Who acts, and from where. */
export interface Actor {
  /** The account that acts; absent for an owner, where nobody else may do the same, and at a command line. */
  readonly id?: number;
  readonly client?: Client;
  /** The sign-in by which it acts: what outlives it checks that it was not revoked meanwhile. */
  readonly caller?: ActingCaller;
}

/** Returns the actor of a request. */
export function actorOf(caller: ActingCaller, ip?: string): Actor {
  return { id: caller.userId, client: ip === undefined ? undefined : { ip }, caller };
}

/** Returns what the audit log records of an actor. */
export function recordOf({ id, client }: Actor): Pick<AuditEvent, 'actorId' | 'ip'> {
  return { actorId: id, ip: client?.ip };
}
