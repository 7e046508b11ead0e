import { Database } from '@app/persistence';
import { orOff, rate } from '@app/settings';
import { AccountsStore } from '../../account/accounts.store';
import { AuditLog } from '../../audit/audit-log';
import { Challenges } from '../../sign-in/challenges';
import { AttemptsStore } from '../../limits/attempts.store';
import { Limiter } from '../../limits/limiter';
import { Mailer } from '../../mails/mailer';
import { SignInLimits } from '../../sign-in/sign-in-limits';
import { from } from '../../provide.providers';
import type { SignInWay } from '../way.providers';
import { EmailCodes } from './email-codes';
import { EmailCodesController } from './email-codes.controller';

const settings = {
  EMAIL_CODES: orOff(rate())
    .prefault('off')
    .describe(
      'Sign-in codes by mail, per e-mail and requesting address (IPv6 /64), and four times as many over all addresses. Further requests get the same response without a mail. With `EMAIL_VERIFICATION=on`, only verified e-mails get codes.',
    )
    .meta({ examples: ['5/1h'] }),
};

/** Codes and links by mail. */
export const emailCodesWay: SignInWay<typeof settings> = {
  name: 'email-codes',
  settings,
  factors: [{ kind: 'email-code', provide: EmailCodes }],
  controllers: [EmailCodesController],
  access: {
    nothingEnrolled: 'a code is bound to the token generation of its account, which a recovery increments',
  },
  providers: ({ EMAIL_CODES }, { application, verifiesEmails: needsVerified }) => [
    from(
      EmailCodes,
      [Database, AccountsStore, Mailer, AuditLog, AttemptsStore, SignInLimits],
      (db, accounts, mailer, audit, attempts, signIns) => {
        const perAddress = new Limiter({ limit: 100, windowSeconds: 3600 }, attempts);
        const perAccount = new Limiter(EMAIL_CODES, attempts);
        const isOn = EMAIL_CODES !== false;
        const challenges = new Challenges(db, 'email-codes', application);
        const parts = { db, accounts, challenges, mailer, audit, signIns, perAddress, perAccount };
        return new EmailCodes({ ...parts, isOn, needsVerified });
      },
    ),
  ],
};
