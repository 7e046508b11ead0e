import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable } from 'kysely';

/** The TOTP secret of an account, which has at most a single secret. Deleted with the account. */
export interface TotpTable {
  id: Generated<number>;
  /** The account; unique (`totp_account_id_unique`). */
  accountId: number;
  /** The encrypted secret, bound to the account. */
  sealedSecret: string;
  /** The name of the key that encrypted it. Secrets under previous keys are encrypted again. */
  sealedBy: string;
  /** The latest time step with a used code. Codes up to this step are rejected. */
  lastStep: Generated<number>;
  /** The time when the enrolment began. */
  createdAt: Date;
  /** The time when a code confirmed the enrolment. It is `null` before, and sign-ins do not require a code yet. */
  confirmedAt: Date | null;
}

/** A selected secret. */
export type TotpRow = Selectable<TotpTable>;

declare module '@app/persistence' {
  interface Tables {
    totp: TotpTable;
  }
}

export const totpTable = defineTable('totp', {
  secrecy: {
    id: 'internal',
    accountId: 'internal',
    sealedSecret: 'secret',
    sealedBy: 'internal',
    lastStep: 'internal',
    createdAt: 'open',
    confirmedAt: 'open',
  },
  exported: { part: 'totp' },
  migrations: { '0001-totp': { apply: createTotp } },
});

/** Creates the table, unless the accounts of an older database have created it. */
async function createTotp(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('totp')
    .ifNotExists()
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('sealed_secret', text, (column) => column.notNull())
    .addColumn('sealed_by', text, (column) => column.notNull())
    .addColumn('last_step', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addColumn('confirmed_at', timestamp)
    .addUniqueConstraint('totp_account_id_unique', ['account_id']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).ifNotExists().on('totp');
  await index('totp_sealed_by').column('sealed_by').execute();
  await index('totp_confirmed_at_created_at').columns(['confirmed_at', 'created_at']).execute();
}
