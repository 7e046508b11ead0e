/** An address from which an account signed in. Deleted with its account. */
export interface FamiliarAddressTable {
  /** A keyed hash of account and address; primary key. */
  hash: string;
  accountId: number;
  lastSignInAt: Date;
}
