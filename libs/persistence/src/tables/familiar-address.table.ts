/** An address or a device from which an account signed in. Deleted with its account. */
export interface FamiliarAddressTable {
  /** A keyed hash of the account, and the address or the name of the device; primary key. */
  hash: string;
  accountId: number;
  lastSignInAt: Date;
}
