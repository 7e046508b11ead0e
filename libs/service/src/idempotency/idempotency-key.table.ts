import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** The response to a request with an `Idempotency-Key`, kept for retries. */
export interface IdempotencyKeyTable {
  /** The hash of caller, route and key. It is the primary key. */
  id: string;
  /** The hash of path and body. A retry has the same hash. */
  fingerprint: string;
  responseStatus: number;
  /** The header fields that the handler set, as JSON. */
  responseHeaders: string;
  /** The body as it was sent; `null` without a body. */
  responseBody: string | null;
  /** The time when the response was stored. The row is deleted a day later. */
  createdAt: Date;
}

/** A stored response as the database returns it. */
export type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>;

declare module '@app/persistence' {
  interface Tables {
    idempotencyKey: IdempotencyKeyTable;
  }
}

export const idempotencyKeyTable = defineTable('idempotencyKey', {
  secrecy: {
    id: 'secret',
    fingerprint: 'internal',
    responseStatus: 'internal',
    responseHeaders: 'internal',
    responseBody: 'internal',
    createdAt: 'internal',
  },
  exported: { not: 'responses that the account was sent, under a hash, for a day' },
  migrations: { '0001-idempotency-key': { apply: createIdempotencyKey } },
});

async function createIdempotencyKey(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('idempotency_key')
    .$call(strictTypes)
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('response_status', integer, (column) => column.notNull())
    .addColumn('response_headers', text, (column) => column.notNull())
    .addColumn('response_body', text)
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = db.schema.createIndex('idempotency_key_created_at').on('idempotency_key');
  await index.column('created_at').execute();
}
