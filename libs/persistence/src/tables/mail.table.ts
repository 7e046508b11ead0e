import { type Generated, type Selectable } from 'kysely';

/** A mail of the outbox. */
export interface MailTable {
  id: Generated<number>;
  /** What it is about, such as `password-reset`. */
  kind: string;
  /** One e-mail address. */
  recipient: string;
  /** Subject and texts, encrypted, because links in them authenticate; `null` once it is sent or given up. */
  sealed: string | null;
  /** The header field `Message-ID`; unique (`mail_message_id_unique`). */
  messageId: string;
  /** How often a program began to send it. */
  attempts: Generated<number>;
  /** When it is sent next. A program that begins to send it sets a later time; `null` once it is sent or given up. */
  dueAt: Date | null;
  /** It is not sent after this. */
  expiresAt: Date;
  /** When the server accepted it; `null` before. */
  sentAt: Date | null;
  /** Why the last attempt failed: status and command. */
  failure: string | null;
  createdAt: Date;
}

/** A selected mail. */
export type MailRow = Selectable<MailTable>;
