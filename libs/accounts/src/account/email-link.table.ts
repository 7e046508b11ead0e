import { type Columns, defineTable, type MigrationContext } from '@app/persistence';
import { type Generated, type Selectable, sql } from 'kysely';

/** A link in a mail that confirms an e-mail, or undoes its change; deleted with the account. */
export interface EmailLinkTable {
  id: Generated<number>;
  /** The link's effect: `confirm` gives the account this e-mail, verified; `undo` gives it back. */
  kind: 'confirm' | 'undo';
  accountId: number;
  /** The e-mail as entered. */
  email: string;
  /** The e-mail, normalized for comparison. */
  emailKey: string;
  /** The SHA-256 of the token in the link, in base64url. */
  tokenHash: string;
  expiresAt: Date;
  /**
   * Whether a mail has this `undo` link's token. Former e-mails without a token are only notified about new passwords, until the
   * link expires.
   */
  isUndoable: Generated<boolean>;
  /**
   * The time since which enrolments end when an `undo` link is used. `null` ends all enrolments, because nobody had proven the
   * e-mail.
   */
  endsSince: Date | null;
}

/** A selected link. */
export type EmailLinkRow = Selectable<EmailLinkTable>;

declare module '@app/persistence' {
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
    endsSince: 'internal',
  },
  exported: { part: 'emailLinks' },
  migrations: {
    '0005-email-link': { apply: createEmailLink },
    '0026-email-link-ends-since': { apply: addEndsSince },
  },
});

async function createEmailLink(
  db: MigrationContext,
  { timestamp, text, boolean, ownedBy, strictTypes }: Columns,
): Promise<void> {
  const table = db.schema
    .createTable('email_link')
    .$call(strictTypes)
    .$call(ownedBy('email_link', 'account'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('email_key', text, (column) => column.notNull())
    .addColumn('token_hash', text, (column) => column.notNull())
    .addColumn('is_undoable', boolean, (column) => column.notNull().defaultTo(sql`true`))
    .addColumn('expires_at', timestamp, (column) => column.notNull())
    .addCheckConstraint('email_link_kind_known', sql`kind in ('confirm', 'undo')`);
  await table.execute();
  const index = (name: string) => db.schema.createIndex(name).on('email_link');
  await index('email_link_token_hash').column('token_hash').execute();
  await index('email_link_email_key').column('email_key').execute();
  await index('email_link_expires_at').column('expires_at').execute();
}

async function addEndsSince({ schema }: MigrationContext, { timestamp }: Columns): Promise<void> {
  await schema.alterTable('email_link').addColumn('ends_since', timestamp).execute();
}
