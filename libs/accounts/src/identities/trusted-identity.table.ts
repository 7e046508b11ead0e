import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A subject at an issuer, and its account. The issuer's tokens are accepted here, or users sign in through it. */
export interface TrustedIdentityTable {
  /** The SHA-256 of the issuer and the subject; primary key. */
  hash: string;
  /** The account; `null` after its deletion or an unlinking, so that the issuer's tokens create no new account. */
  accountId: number | null;
  /** The issuer; `null` for rows that are older than this column. */
  issuer: string | null;
  createdAt: Date;
  /** The time when it was linked to the account; older tokens are refused. It is `null` if a token created the account. */
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

/** Creates the table. Rows of deleted accounts stay, so that their issuer's tokens do not create a new account. */
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

/** Adds the issuer. The subject stays a hash, so that a deleted account's row identifies nobody. */
async function addIssuer({ schema }: MigrationContext, { text }: Columns): Promise<void> {
  await schema.alterTable('trusted_identity').addColumn('issuer', text).execute();
}

async function addLinkedAt({ schema }: MigrationContext, { timestamp }: Columns): Promise<void> {
  await schema.alterTable('trusted_identity').addColumn('linked_at', timestamp).execute();
}
