import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** An address or a device from which an account signed in. Deleted with its account. */
export interface KnownDeviceTable {
  /** The account; primary key together with the hash. */
  accountId: number;
  /** A keyed hash over the account and an address or device name. */
  hash: string;
  lastSignInAt: Date;
}

declare module '@app/persistence' {
  interface Tables {
    knownDevice: KnownDeviceTable;
  }
}

export const knownDeviceTable = defineTable('knownDevice', {
  secrecy: { hash: 'secret', accountId: 'internal', lastSignInAt: 'internal' },
  exported: { not: 'keyed hashes of addresses, which sessions and events have in plain' },
  migrations: { '0006-known-device': { apply: createKnownDevice } },
});

async function createKnownDevice(
  db: MigrationContext,
  { integer, timestamp, text, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('known_device')
    .$call(strictTypes)
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('last_sign_in_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('known_device_pkey', ['account_id', 'hash']);
  await table.execute();
  const index = db.schema.createIndex('known_device_last_sign_in_at').on('known_device');
  await index.column('last_sign_in_at').execute();
}
