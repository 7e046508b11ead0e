import { defineTable } from '../schema/define-table';

/** An address or a device from which an account signed in. Deleted with its account. */
export interface KnownDeviceTable {
  /** A keyed hash of the account, and the address or the name of the device; primary key. */
  hash: string;
  accountId: number;
  lastSignInAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    knownDevice: KnownDeviceTable;
  }
}

export const knownDeviceTable = defineTable('knownDevice', {
  secrecy: { hash: 'secret', accountId: 'internal', lastSignInAt: 'internal' },
  exported: { not: 'keyed hashes of addresses, which sessions and events have in plain' },
});
