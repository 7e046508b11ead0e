import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A recovery code that was not used; deleted with the account. */
export interface RecoveryCodeTable {
  /** The SHA-256 of the account and the code, in base64url. */
  hash: string;
  accountId: number;
  /** The creation time; `null` for codes that are older than this column. */
  createdAt: Date | null;
}

declare module '@app/persistence' {
  interface Tables {
    recoveryCode: RecoveryCodeTable;
  }
}

export const recoveryCodeTable = defineTable('recoveryCode', {
  secrecy: { hash: 'secret', accountId: 'internal', createdAt: 'internal' },
  exported: { not: 'has hashes of codes alone' },
  migrations: { '0002-recovery-code': { apply: createRecoveryCode } },
});

/** Creates the table, unless the accounts of an older database have created it. */
async function createRecoveryCode(
  db: MigrationContext,
  { integer, text, timestamp, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('recovery_code')
    .ifNotExists()
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('created_at', timestamp);
  await table.execute();
  const index = db.schema.createIndex('recovery_code_account_id').ifNotExists().on('recovery_code');
  await index.column('account_id').execute();
}
