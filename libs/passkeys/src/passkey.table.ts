import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** A passkey of an account; deleted with the account. */
export interface PasskeyTable {
  id: Generated<number>;
  accountId: number;
  /** The authenticator's id, in base64url; unique (`passkey_credential_id_unique`). A sign-in names it instead of an account. */
  credentialId: string;
  /** A COSE key (RFC 9052), in base64url. */
  publicKey: string;
  /** The highest count of signatures that the authenticator has sent; 0 for ever if it does not count. */
  counter: number;
  /** The ways in which the browser reaches the authenticator, such as `internal,hybrid`. */
  transports: string;
  /** The name that the owner gave it, or `null`. */
  name: string | null;
  createdAt: Date;
  /** The time of the last sign-in; `null` before the first sign-in. */
  lastUsedAt: Date | null;
}

/** A selected passkey. */
export type PasskeyRow = Selectable<PasskeyTable>;

declare module '@app/persistence' {
  interface Tables {
    passkey: PasskeyTable;
  }
}

export const passkeyTable = defineTable('passkey', {
  secrecy: {
    id: 'internal',
    accountId: 'internal',
    credentialId: 'internal',
    publicKey: 'internal',
    counter: 'internal',
    transports: 'internal',
    name: 'open',
    createdAt: 'open',
    lastUsedAt: 'open',
  },
  exported: { part: 'passkeys' },
  migrations: { '0001-passkey': { apply: createPasskey } },
});

/** Creates the table, unless the accounts of an older database have created it. */
async function createPasskey(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('passkey')
    .ifNotExists()
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('credential_id', text, (column) => column.notNull())
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', integer, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('name', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('last_used_at', timestamp)
    .addUniqueConstraint('passkey_credential_id_unique', ['credential_id']);
  await table.execute();
  const index = db.schema.createIndex('passkey_account_id').ifNotExists().on('passkey');
  await index.column('account_id').execute();
}
