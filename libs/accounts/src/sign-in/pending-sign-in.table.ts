import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** A sign-in that waits for a second factor; deleted with the account. */
export interface PendingSignInTable {
  /** The SHA-256 of its token, in base64url; primary key. The token itself is not stored. */
  tokenHash: string;
  accountId: number;
  /** The account's token generation when the first factor was verified. A full revocation increments it, so this ends. */
  tokenGeneration: number;
  /** The verified factors, as JSON. */
  verified: string;
  /** A new hash for the same password, if the stored hash has outdated parameters. */
  passwordHash: string | null;
  /** The name that the client chose, or `null`. */
  device: string | null;
  /** The application that began it, which alone completes it. */
  audience: string;
  expiresAt: Date;
}

/** A selected sign-in. */
export type PendingSignInRow = Selectable<PendingSignInTable>;

declare module '@app/persistence' {
  interface Tables {
    pendingSignIn: PendingSignInTable;
  }
}

export const pendingSignInTable = defineTable('pendingSignIn', {
  secrecy: {
    tokenHash: 'secret',
    accountId: 'internal',
    tokenGeneration: 'internal',
    verified: 'internal',
    passwordHash: 'secret',
    device: 'internal',
    audience: 'internal',
    expiresAt: 'internal',
  },
  exported: { not: 'hashes of tokens that expire within five minutes' },
  migrations: { '0017-pending-sign-in': { apply: createPendingSignIn } },
});

async function createPendingSignIn(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('pending_sign_in')
    .$call(strictTypes)
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('token_generation', integer, (column) => column.notNull())
    .addColumn('verified', text, (column) => column.notNull())
    .addColumn('password_hash', text)
    .addColumn('device', text)
    .addColumn('audience', text, (column) => column.notNull())
    .addColumn('expires_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('pending_sign_in');
  await index('pending_sign_in_account_id').column('account_id').execute();
  await index('pending_sign_in_expires_at').column('expires_at').execute();
}
