import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** A recovery code that was not used; deleted with the account. */
export interface RecoveryCodeTable {
  /** SHA-256 of the account and the code, in base64url. */
  hash: string;
  accountId: number;
  /** `null` for codes from before the column. */
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
  migrations: {
    '0009-recovery-code': { apply: createRecoveryCode },
    '0024-recovery-code-created-at': { apply: addCreatedAt },
  },
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

async function addCreatedAt({ schema }: MigrationContext, { timestamp }: Columns): Promise<void> {
  await schema.alterTable('recovery_code').addColumn('created_at', timestamp).execute();
}
