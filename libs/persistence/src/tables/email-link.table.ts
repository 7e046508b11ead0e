import { type Generated, type Selectable } from 'kysely';

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
}

/** A selected link. */
export type EmailLinkRow = Selectable<EmailLinkTable>;
