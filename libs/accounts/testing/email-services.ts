import { deriveKeys } from '@app/auth';
import { Outbox } from '@app/mail';
import type { Database } from '@app/persistence';
import type { AccountsStore } from '../src/account/accounts.store';
import type { ApiKeys } from '../src/api-keys/api-keys';
import { AttemptsStore } from '../src/limits/attempts.store';
import type { AuditLog } from '../src/audit/audit-log';
import { EmailChange } from '../src/emails/email-change';
import { EmailLinksStore } from '../src/links/email-links.store';
import { MailTokens } from '../src/links/mail-token';
import { EmailMails } from '../src/emails/email-mails';
import { EmailVerification } from '../src/emails/email-verification';
import { Enrolments } from '../src/enrolments/enrolments';
import { endRecoveryCodes } from '../src/ways/recovery-codes/recovery-codes.store';
import { endTotp } from '../src/ways/totp/totp.store';
import { SharedLimit } from '../src/limits/shared-limit';
import { MailLimit } from '../src/limits/mail-limit';
import { accountMails } from '../src/mails/account-mails';
import { AccountNotices } from '../src/mails/account-notices';
import { PasswordChange } from '../src/passwords/password-change';
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
  const mailTokens = new MailTokens('tests');
  const mails = new EmailMails(links, outbox, accountMails, 'http://localhost', mailTokens);
  const attempts = new AttemptsStore(db);
  const mailLimit = new MailLimit(attempts, false);
  const linkLimit = new SharedLimit(attempts, false);
  const verification = new EmailVerification(false, mails, linkLimit, mailLimit);
  const notices = new AccountNotices(outbox, accountMails, mailLimit, links);
  const enrolments = new Enrolments([
    { name: 'totp', access: { end: endTotp, outlivesRecovery: true } },
    { name: 'recovery-codes', access: { end: endRecoveryCodes, outlivesRecovery: true } },
  ]);
  return {
    notices,
    outbox,
    links,
    mailTokens,
    verification,
    enrolments,
    passwordChange: new PasswordChange(store, sessions, keys, enrolments, notices, audit),
    emailChange: new EmailChange(store, links, verification, audit),
  };
}
