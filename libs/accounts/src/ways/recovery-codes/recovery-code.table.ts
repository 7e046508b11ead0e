import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A recovery code that was not used; deleted with the account. */
export interface RecoveryCodeTable {
  /** SHA-256 of the account and the code, in base64url. */
  hash: string;
  accountId: number;
}

declare module '@app/persistence' {
  interface Tables {
    recoveryCode: RecoveryCodeTable;
  }
}

export const recoveryCodeTable = defineTable('recoveryCode', {
  secrecy: { hash: 'secret', accountId: 'internal' },
  exported: { not: 'has hashes of codes alone' },
  migrations: { '0009-recovery-code': { apply: createRecoveryCode } },
});

async function createRecoveryCode(
  db: MigrationContext,
  { integer, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('recovery_code')
    .$call(strictTypes)
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    );
  await table.execute();
  await db.schema.createIndex('recovery_code_account_id').on('recovery_code').column('account_id').execute();
}
