import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** An API key, which authenticates as its account; deleted with the account. */
export interface ApiKeyTable {
  id: Generated<number>;
  accountId: number;
  /** The name that the owner chose. */
  name: string;
  /** The key's SHA-256, in base64url. The key itself is not stored. */
  keyHash: string;
  /** The key's first and last two characters with an ellipsis between, for lists. */
  keyEnds: string;
  createdAt: Date;
  /** The last use, updated at most once a minute; `null` before the first use. */
  lastUsedAt: Date | null;
  /** The expiry time; `null` if the key does not expire. */
  expiresAt: Date | null;
  /** The scopes that restrict the key, separated by spaces, such as `read items:write`; `null` for full access to the account. */
  scopes: string | null;
}

/** A selected API key. */
export type ApiKeyRow = Selectable<ApiKeyTable>;

declare module '@app/persistence' {
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
  migrations: { '0004-api-key': { apply: createApiKey } },
});

async function createApiKey(
  db: MigrationContext,
  { timestamp, text, ownedBy, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('api_key')
    .$call(strictTypes)
    .$call(ownedBy('api_key', 'account'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('key_ends', text, (column) => column.notNull())
    .addColumn('scopes', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
    .addColumn('expires_at', timestamp);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('api_key');
  await index('api_key_key_hash').column('key_hash').execute();
  await index('api_key_expires_at').column('expires_at').execute();
}
