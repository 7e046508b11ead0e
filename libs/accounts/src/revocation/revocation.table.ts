import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Selectable } from 'kysely';

/** An entry in the revocation log; deleted after the last affected token has expired. */
export interface RevocationTable {
  /** The program that wrote the entry, as a random name chosen at its start. */
  program: string;
  /** Counts the entries of the program from 1; a number is missing where a transaction was rolled back. Primary key with `program`. */
  number: number;
  /** The number below which all of the program's transactions had ended when this entry was numbered. */
  settledBelow: number;
  /** The entry's kind: a revoked `session` or `token`, or an `account` or a `membership` to reload. */
  kind: 'session' | 'token' | 'account' | 'membership';
  /** A `sid`, a `jti`, an account's id, or the plugin's name for a membership. */
  subject: string;
  createdAt: Date;
}

/** A selected revocation. */
export type RevocationRow = Selectable<RevocationTable>;

/** A revoked session or token, or a changed account or membership. */
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

/**
 * Creates the table. The primary key starts with the program, so that its entries are read in order and programs write to
 * different places. There is no foreign key, because entries outlive their subjects.
 */
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
