import { defineTable } from '../schema/define-table';

/** A subject of a trusted issuer, and its account. */
export interface TrustedIdentityTable {
  /** SHA-256 of the issuer and the subject; primary key. */
  hash: string;
  /** `null` once the account was deleted: a token of the issuer does not create another one. */
  accountId: number | null;
  createdAt: Date;
}

declare module '../schema/tables' {
  interface Tables {
    trustedIdentity: TrustedIdentityTable;
  }
}

export const trustedIdentityTable = defineTable('trustedIdentity', {
  secrecy: { hash: 'internal', accountId: 'internal', createdAt: 'internal' },
  exported: { not: 'hashes of the issuer and the subject, which the event of the account has in plain' },
});
