import { AccountsStore, AuditLog, Mailer, SignInLimits, SignInServices } from '@app/accounts';
import { inSection } from '@app/contract';
import { Database } from '@app/persistence';
import { definePlugin } from '@app/service';
import { orOff, rate } from '@app/settings';
import { EmailCodesController } from './email-codes.controller';
import { EmailCodes } from './email-codes.factor';

const settings = {
  EMAIL_CODES: orOff(rate())
    .prefault('off')
    .describe(
      'Sign-in codes by mail, per e-mail and requesting address (IPv6 /64), and four times as many over all addresses. Further requests get the same response without a mail. With `EMAIL_VERIFICATION=on`, only verified e-mails get codes.',
    )
    .meta({ examples: ['5/1h'] }),
};

/** The plugin of codes and links by mail, with which sign-ins begin. */
export function emailCodes() {
  return definePlugin({
    name: 'email-codes',
    settings,
    controllers: inSection('accounts', [EmailCodesController]),
    providers: ({ EMAIL_CODES }) => [
      {
        provide: EmailCodes,
        inject: [Database, AccountsStore, Mailer, AuditLog, SignInLimits, SignInServices],
        useFactory: (
          db: Database,
          accounts: AccountsStore,
          mailer: Mailer,
          audit: AuditLog,
          signIns: SignInLimits,
          services: SignInServices,
        ) =>
          new EmailCodes({
            db,
            accounts,
            mailer,
            audit,
            signIns,
            challenges: services.challengesOf('email-codes'),
            perAddress: services.limiter({ limit: 100, windowSeconds: 3600 }),
            perAccount: services.limiter(EMAIL_CODES),
            isOn: EMAIL_CODES !== false,
            needsVerified: services.verifiesEmails,
          }),
      },
    ],
    factors: [
      {
        kind: 'email-code',
        provide: EmailCodes,
        rank: 20,
        access: {
          nothingEnrolled:
            'a code is bound to the token generation of its account, which a recovery increments',
        },
        scopedCallers: [],
        limit: 'requests',
        challenges: 'program',
        rows: { nothingStored: 'a code is a challenge, which expires' },
      },
    ],
  });
}
