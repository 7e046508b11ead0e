import { type Generated, type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** An API key, which authenticates as its account; deleted with the account. */
export interface ApiKeyTable {
  id: Generated<number>;
  accountId: number;
  /** Chosen by the owner. */
  name: string;
  /** SHA-256 of the key, in base64url; unique (`api_key_key_hash_unique`). The key itself is not stored. */
  keyHash: string;
  /** Its first two and last two characters with an ellipsis between, for lists. */
  keyEnds: string;
  createdAt: Date;
  /** Updated at most once a minute; `null` before the first use. */
  lastUsedAt: Date | null;
  /** `null` if it does not expire. */
  expiresAt: Date | null;
  /** What it is restricted to, separated by spaces, such as `read items:write`; `null` if it may do all that its account may. */
  scopes: string | null;
}

/** A selected API key. */
export type ApiKeyRow = Selectable<ApiKeyTable>;

declare module '../schema/tables' {
  interface Tables {
    apiKey: ApiKeyTable;
  }
}

export const apiKeyTable = defineTable('apiKey', {
  secrecy: {
    id: 'open',
    accountId: 'internal',
    name: 'open',
    keyHash: 'secret',
    keyEnds: 'internal',
    createdAt: 'open',
    lastUsedAt: 'open',
    expiresAt: 'open',
    scopes: 'open',
  },
  exported: { part: 'apiKeys' },
});
