import { type Generated, type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** A link in a mail that confirms an e-mail, or undoes its change; deleted with the account. */
export interface EmailLinkTable {
  id: Generated<number>;
  /** `confirm`: the account gets this e-mail, verified. `undo`: it gets it back. */
  kind: 'confirm' | 'undo';
  accountId: number;
  /** As entered. */
  email: string;
  /** The e-mail, normalized for comparison. */
  emailKey: string;
  /** SHA-256 of the token in the link, in base64url; unique (`email_link_token_hash_unique`). */
  tokenHash: string;
  expiresAt: Date;
  /**
   * Of `undo`: whether a mail has its token. The other e-mails of before are only notified of new passwords, until it expires.
   */
  isUndoable: Generated<boolean>;
}

/** A selected link. */
export type EmailLinkRow = Selectable<EmailLinkTable>;

declare module '../schema/tables' {
  interface Tables {
    emailLink: EmailLinkTable;
  }
}

export const emailLinkTable = defineTable('emailLink', {
  secrecy: {
    id: 'internal',
    kind: 'internal',
    accountId: 'internal',
    email: 'internal',
    emailKey: 'internal',
    tokenHash: 'secret',
    expiresAt: 'internal',
    isUndoable: 'internal',
  },
  exported: { part: 'emailLinks' },
});
