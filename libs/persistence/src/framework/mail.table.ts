import { type Generated, type Selectable } from 'kysely';
import { defineTable } from '../schema/define-table';

/** A mail of the outbox. */
export interface MailTable {
  id: Generated<number>;
  /** What it is about, such as `password-reset`. */
  kind: string;
  /** One e-mail address. */
  recipient: string;
  /** What caused it, such as the address of a request: mails of several causes are sent in turn. */
  cause: Generated<string>;
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
  /** The account that it is about, which may be removed; `null` if there is none. */
  accountId: number | null;
}

/** A selected mail. */
export type MailRow = Selectable<MailTable>;

declare module '../schema/tables' {
  interface Tables {
    mail: MailTable;
  }
}

export const mailTable = defineTable('mail', {
  secrecy: {
    id: 'open',
    kind: 'operators',
    recipient: 'operators',
    cause: 'internal',
    sealed: 'secret',
    messageId: 'internal',
    attempts: 'operators',
    dueAt: 'operators',
    expiresAt: 'operators',
    sentAt: 'operators',
    failure: 'operators',
    createdAt: 'open',
    accountId: 'internal',
  },
  exported: {
    part: 'mails',
    without: {
      id: 'counts the mails to everybody',
      attempts: 'is about sending',
      dueAt: 'is about sending',
      expiresAt: 'is about sending',
      failure: 'is about sending',
    },
  },
});
