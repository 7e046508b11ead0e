import { deriveKeys } from '@app/auth';
import { Outbox } from '@app/mail';
import type { Database } from '@app/persistence';
import type { AccountsStore } from '../src/account/accounts.store';
import type { ApiKeys } from '../src/api-keys/api-keys';
import { AttemptsStore } from '../src/limits/attempts.store';
import type { AuditLog } from '../src/audit/audit-log';
import { EmailChange } from '../src/email-addresses/email-change';
import { EmailLinksStore } from '../src/account/email-links.store';
import { MailTokens } from '../src/mails/mail-token';
import { EmailVerification } from '../src/email-addresses/email-verification';
import { type EndsAccess, Enrolments } from '../src/factors/enrolments';
import { Mailer } from '../src/mails/mailer';
import type { AccountsOptions } from '../src/options';
import { PasswordChange } from '../src/passwords/password-change';
import type { SessionsStore } from '../src/sessions/sessions.store';

/** The parts that the services in a test share. */
export interface SharedParts {
  readonly db: Database;
  readonly options: AccountsOptions;
  readonly store: AccountsStore;
  readonly sessions: SessionsStore;
  readonly keys: ApiKeys;
  readonly audit: AuditLog;
  /** The program's factors; default only the password. */
  readonly declarations?: readonly EndsAccess[];
}

/** Makes the services that change credentials, without e-mail verification. */
export function makeChanges({ db, options, store, sessions, keys, audit, declarations = [] }: SharedParts) {
  const outbox = new Outbox(db, deriveKeys(options.secrets(), 'outbox'), 'example.com');
  const links = new EmailLinksStore(db);
  const mailTokens = new MailTokens('tests');
  const attempts = new AttemptsStore(db);
  const mailer = new Mailer(outbox, attempts, links, options);
  const verification = new EmailVerification(links, mailTokens, mailer, attempts, options);
  const enrolments = new Enrolments(declarations);
  return {
    mailer,
    outbox,
    links,
    mailTokens,
    verification,
    enrolments,
    passwordChange: new PasswordChange(store, sessions, keys, enrolments, mailer, audit),
    emailChange: new EmailChange(store, links, verification, audit),
  };
}
