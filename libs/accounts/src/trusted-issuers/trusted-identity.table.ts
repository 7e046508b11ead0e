import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A subject of an issuer, and its account, whether tokens of the issuer are accepted or users sign in through it. */
export interface TrustedIdentityTable {
  /** SHA-256 of the issuer and the subject; primary key. */
  hash: string;
  /** `null` once the account was deleted or the identity unlinked: a token of the issuer does not create another account. */
  accountId: number | null;
  /** `null` of rows from before the column. */
  issuer: string | null;
  createdAt: Date;
  /** When it was linked to the account: older tokens are refused. `null` if a token created the account. */
  linkedAt: Date | null;
}

declare module '@app/persistence' {
  interface Tables {
    trustedIdentity: TrustedIdentityTable;
  }
}

export const trustedIdentityTable = defineTable('trustedIdentity', {
  secrecy: {
    hash: 'internal',
    accountId: 'internal',
    issuer: 'open',
    createdAt: 'open',
    linkedAt: 'internal',
  },
  exported: { part: 'identities' },
  migrations: {
    '0007-trusted-identity': { apply: createTrustedIdentity },
    '0020-trusted-identity-issuer': { apply: addIssuer },
    '0025-trusted-identity-linked-at': { apply: addLinkedAt },
  },
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

/** The subject stays a hash: the row of a deleted account names nobody. */
async function addIssuer({ schema }: MigrationContext, { text }: Columns): Promise<void> {
  await schema.alterTable('trusted_identity').addColumn('issuer', text).execute();
}

async function addLinkedAt({ schema }: MigrationContext, { timestamp }: Columns): Promise<void> {
  await schema.alterTable('trusted_identity').addColumn('linked_at', timestamp).execute();
}
