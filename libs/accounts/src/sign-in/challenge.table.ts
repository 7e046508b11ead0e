import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** The state that a sign-in way keeps while it waits, such as for a code or a signature. Deleted with the account. */
export interface ChallengeTable {
  /** The SHA-256 of the program, the way and the client's token, in base64url; primary key. The token is not stored. */
  hash: string;
  /** The account; `null` if it is unknown or does not exist yet. */
  accountId: number | null;
  /** The state that the way compares or continues with. */
  challengeState: string;
  tries: Generated<number>;
  expiresAt: Date;
}

/** A selected challenge. */
export type ChallengeRow = Selectable<ChallengeTable>;

declare module '@app/persistence' {
  interface Tables {
    challenge: ChallengeTable;
  }
}

export const challengeTable = defineTable('challenge', {
  secrecy: {
    hash: 'secret',
    accountId: 'internal',
    challengeState: 'secret',
    tries: 'internal',
    expiresAt: 'internal',
  },
  exported: { not: 'hashes and secrets that expire within minutes' },
  migrations: { '0018-challenge': { apply: createChallenge } },
});

async function createChallenge(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('challenge')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('challenge_state', text, (column) => column.notNull())
    .addColumn('tries', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('expires_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('challenge');
  await index('challenge_account_id').column('account_id').execute();
  await index('challenge_expires_at').column('expires_at').execute();
}
