import { type Generated, type Selectable } from 'kysely';

/** Something that happened to an account; written once and never changed. */
export interface AuditEventTable {
  id: Generated<number>;
  /** Such as `sign-in`. */
  kind: string;
  /** Whom it happened to; no foreign key, for the event outlives the account. `null` if there was no account. */
  accountId: number | null;
  /** Who did it, where that is somebody else. */
  actorId: number | null;
  /** Where the request came from. */
  ip: string | null;
  /** A JSON object with what else is worth knowing, and no secret. */
  detail: string;
  createdAt: Date;
}

/** An event as it is read. */
export type AuditEventRow = Selectable<AuditEventTable>;
