import { type Selectable } from 'kysely';

/** A block of audit events: its hash contains that of the block before, so that neither can be changed alone. */
export interface AuditBlockTable {
  /** From 1, without a gap; primary key. */
  number: number;
  /** How many events it has. */
  events: number;
  /** SHA-256 of its events, in base64url. */
  digest: string;
  /** SHA-256 of its number, events, digest and newest event, and of the hash before, in base64url. */
  hash: string;
  /** The time of its newest event. */
  newestAt: Date;
  /** When its events were deleted after their retention; `null` before. */
  prunedAt: Date | null;
}

/** A selected block. */
export type AuditBlockRow = Selectable<AuditBlockTable>;
