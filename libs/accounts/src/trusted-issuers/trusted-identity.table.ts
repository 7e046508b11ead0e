import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A subject of a trusted issuer, and its account. */
export interface TrustedIdentityTable {
  /** SHA-256 of the issuer and the subject; primary key. */
  hash: string;
  /** `null` once the account was deleted: a token of the issuer does not create another one. */
  accountId: number | null;
  createdAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    trustedIdentity: TrustedIdentityTable;
  }
}

export const trustedIdentityTable = defineTable('trustedIdentity', {
  secrecy: { hash: 'internal', accountId: 'internal', createdAt: 'internal' },
  exported: { not: 'hashes of the issuer and the subject, which the event of the account has in plain' },
  migrations: { '0007-trusted-identity': { apply: createTrustedIdentity } },
});

/** The rows of deleted accounts stay, so that a token of their issuer does not create another one. */
async function createTrustedIdentity(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('trusted_identity')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('set null'))
    .addColumn('created_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = db.schema.createIndex('trusted_identity_account_id').on('trusted_identity');
  await index.column('account_id').execute();
}
