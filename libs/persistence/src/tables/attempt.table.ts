import { type Selectable } from 'kysely';

/** How often one account or one address has tried to sign in of late, and not succeeded. */
export interface AttemptTable {
  /** Whose attempts: a kind and a hash, for a name that somebody typed may be a password. Primary key. */
  subject: string;
  /** Those that were let through, since {@link startedAt}. */
  count: number;
  startedAt: Date;
  /** The last one that was let through. */
  latestAt: Date;
}

/** Attempts as they are read. */
export type AttemptRow = Selectable<AttemptTable>;
