import { deriveKeys } from '@app/auth';
import { Outbox } from '@app/mail';
import type { Database } from '@app/persistence';
import type { AccountsStore } from '../src/accounts.store';
import type { ApiKeys } from '../src/api-keys';
import { AttemptsStore } from '../src/attempts.store';
import type { AuditLog } from '../src/audit-log';
import { EmailChange } from '../src/email-verification/email-change';
import { EmailLinksStore } from '../src/email-verification/email-links.store';
import { EmailMails } from '../src/email-verification/email-mails';
import { EmailVerification } from '../src/email-verification/email-verification';
import { HourlyLimit } from '../src/hourly-limit';
import { accountMails } from '../src/mails/account-mails';
import { AccountNotices } from '../src/mails/account-notices';
import { PasswordChange } from '../src/password-change';
import type { SessionsStore } from '../src/sessions/sessions.store';

/** What the services of a test share. */
export interface SharedParts {
  readonly db: Database;
  readonly secret: string;
  readonly store: AccountsStore;
  readonly sessions: SessionsStore;
  readonly keys: ApiKeys;
  readonly audit: AuditLog;
}

/** The services that change credentials, without the verification of e-mails. */
export function makeChanges({ db, secret, store, sessions, keys, audit }: SharedParts) {
  const outbox = new Outbox(db, deriveKeys({ secret }, 'outbox'), 'example.com');
  const links = new EmailLinksStore(db);
  const mails = new EmailMails(links, outbox, accountMails, 'http://localhost');
  const limit = new HourlyLimit(new AttemptsStore(db), 1_000_000);
  const verification = new EmailVerification(false, links, mails, limit);
  const notices = new AccountNotices(outbox, accountMails);
  return {
    notices,
    outbox,
    links,
    verification,
    passwordChange: new PasswordChange(store, sessions, keys, notices, audit),
    emailChange: new EmailChange(store, links, verification, audit),
  };
}
