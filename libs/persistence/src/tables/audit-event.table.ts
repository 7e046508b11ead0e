import { type Generated, type Selectable } from 'kysely';

/** An event of the audit log; changed only while it gathers the repetitions of a day. */
export interface AuditEventTable {
  id: Generated<number>;
  /** Such as `sign-in`. */
  kind: string;
  /** The affected account; no foreign key, because events outlive accounts. `null` if there was none. */
  accountId: number | null;
  /** The account that acted, if that is another one. */
  actorId: number | null;
  /** Remote address of the request. */
  ip: string | null;
  /** The program that recorded it, such as `api`; `null` if it is not known. */
  program: string | null;
  /** A JSON object with further facts; contains no secret. */
  detail: string;
  createdAt: Date;
  /** The number of its block in the chain; `null` until it is sealed. */
  block: number | null;
}

/** A selected event. */
export type AuditEventRow = Selectable<AuditEventTable>;
