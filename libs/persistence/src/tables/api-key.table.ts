import { type Generated, type Selectable } from 'kysely';

/** A key by which a machine speaks for an account; goes with its account. */
export interface ApiKeyTable {
  id: Generated<number>;
  accountId: number;
  /** What its owner calls it. */
  name: string;
  /** SHA-256 of the whole key, in base64url; unique (`api_key_key_hash_unique`). The key itself is nowhere. */
  keyHash: string;
  /** Its first two and last two characters with an ellipsis between: all that a list shows. */
  keyEnds: string;
  createdAt: Date;
  /** Written once a minute at most; `null` before the first use. */
  lastUsedAt: Date | null;
}

/** A key as it is read. */
export type ApiKeyRow = Selectable<ApiKeyTable>;
