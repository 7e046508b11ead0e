import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** An entry in the log of revocations; deleted after the last affected token has expired. */
export interface RevocationTable {
  /** Who wrote it: a random name, chosen at the start of a program. */
  program: string;
  /** Counts the entries of the program from 1; a number is missing where a transaction was rolled back. Primary key with `program`. */
  number: number;
  /** The transactions of all lesser numbers of the program had ended when this one was given. */
  settledBelow: number;
  /** A revoked `session` or `token`, or an `account` whose state must be reloaded. */
  kind: 'session' | 'token' | 'account';
  /** A `sid`, a `jti`, or an account's id. */
  subject: string;
  createdAt: Date;
}

/** A selected revocation. */
export type RevocationRow = Selectable<RevocationTable>;

/** A revoked session or token, or a changed account. */
export type Revocation = Pick<RevocationRow, 'kind' | 'subject'>;

declare module '@app/persistence' {
  interface Tables {
    revocation: RevocationTable;
  }
}

export const revocationTable = defineTable('revocation', {
  secrecy: {
    program: 'internal',
    number: 'internal',
    settledBelow: 'internal',
    kind: 'internal',
    subject: 'secret',
    createdAt: 'internal',
  },
  exported: { not: 'ids of tokens that were ended, until they expire' },
  migrations: { '0010-revocation': { apply: createRevocation } },
});

/** The primary key has the program first: its entries are read in their order, and programs write to different places. No foreign key: they outlive what they name. */
async function createRevocation(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('revocation')
    .$call(strictTypes)
    .addColumn('program', text, (column) => column.notNull())
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('settled_below', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('revocation_pkey', ['program', 'number']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('revocation');
  await index('revocation_created_at').column('created_at').execute();
  await index('revocation_subject').column('subject').execute();
}
