import { type Columns, defineTable, type MigrationContext } from '@app/persistence';

/** An address or a device from which an account signed in. Deleted with its account. */
export interface KnownDeviceTable {
  /** A keyed hash of the account, and the address or the name of the device; primary key. */
  hash: string;
  accountId: number;
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
    .addColumn('hash', text, (column) => column.primaryKey())
    .addColumn('account_id', integer, (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('last_sign_in_at', timestamp, (column) => column.notNull());
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('known_device');
  await index('known_device_account_id').column('account_id').execute();
  await index('known_device_last_sign_in_at').column('last_sign_in_at').execute();
}
