import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable, sql } from 'kysely';

/** A mail in the outbox. */
export interface MailTable {
  id: Generated<number>;
  /** The mail kind, such as `password-reset`. */
  kind: string;
  /** The recipient, a single e-mail address. */
  recipient: string;
  /** The cause, such as a request's address. Mails with different causes are sent in turn. */
  cause: Generated<string>;
  /** The subject and texts, encrypted because their links authenticate; `null` once the mail is sent or given up. */
  sealed: string | null;
  /** The header field `Message-ID`; unique (`mail_message_id_unique`). */
  messageId: string;
  /** The number of attempts to send the mail. */
  attempts: Generated<number>;
  /**
   * The time of the next attempt. A program that begins to send the mail sets a later time; `null` once the mail is sent or
   * given up.
   */
  dueAt: Date | null;
  /** The time after which the mail is not sent. */
  expiresAt: Date;
  /** The time when the server accepted the mail; `null` before. */
  sentAt: Date | null;
  /** The last failure: the SMTP status and command. */
  failure: string | null;
  createdAt: Date;
  /** The account that the mail is about, which may be removed; `null` if the mail has no account. */
  accountId: number | null;
}

/** A selected mail. */
export type MailRow = Selectable<MailTable>;

declare module '@app/persistence' {
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
  migrations: { '0001-mail': { apply: createMail } },
});

/** Creates the table. Waiting mails are sent in turn by cause, and deleted by age. */
async function createMail(
  db: MigrationContext,
  { integer, timestamp, text, id, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('mail')
    .$call(strictTypes)
    .addColumn('id', integer, id)
    .addColumn('account_id', integer)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('recipient', text, (column) => column.notNull())
    .addColumn('cause', text, (column) => column.notNull().defaultTo('operator'))
    .addColumn('sealed', text)
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('attempts', integer, (column) => column.notNull().defaultTo(0))
    .addColumn('due_at', timestamp)
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addColumn('sent_at', timestamp)
    .addColumn('failure', text)
    .addColumn('created_at', timestamp, (column) => column.notNull())
    .addUniqueConstraint('mail_message_id_unique', ['message_id']);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('mail');
  const waiting = (name: string) => index(name).where(sql.ref('due_at'), 'is not', null);
  await index('mail_account_id_id').columns(['account_id', 'id']).execute();
  await index('mail_created_at').column('created_at').execute();
  await waiting('mail_waiting').columns(['cause', 'recipient', 'id']).execute();
  await waiting('mail_waiting_recipient').columns(['recipient', 'id']).execute();
}
