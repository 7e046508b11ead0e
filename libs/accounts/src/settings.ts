import { duration } from '@app/auth';
import { isEmail } from 'class-validator';
import { z } from 'zod';

const DAY = 86_400;

/** A positive count. */
function limit() {
  const error = 'must be a whole number from 1 to 1000000';
  return z
    .string()
    .regex(/^\d{1,7}$/, { error, abort: true })
    .transform(Number)
    .refine((count) => count >= 1 && count <= 1_000_000, { error });
}

/** Environment variables of this library. */
export const accountsSettings = {
  ADMIN_EMAIL: z
    .string()
    .refine((text) => isEmail(text), { error: 'must be an e-mail address, such as admin@example.com' })
    .optional()
    .describe(
      'E-mail of the first administrator, created at start if there is no administrator; `npm run admin:reset` creates or restores one later.',
    )
    .meta({ examples: ['admin@example.com'] }),
  ADMIN_PASSWORD: z
    .string()
    .min(8, { error: 'must be at least 8 characters long' })
    .max(256, { error: 'must be at most 256 characters long' })
    .optional()
    .describe('Password of the first administrator. Required with `ADMIN_EMAIL`.')
    .meta({ secret: true }),
  REFRESH_TOKEN_TTL: duration({ minSeconds: 60, maxSeconds: 3650 * DAY })
    .prefault('30d')
    .describe('Lifetime of a session after its last refresh, from 1m to 3650d.')
    .meta({ examples: ['30d', '12h'] }),
  SESSION_LIFETIME: duration({ minSeconds: 60, maxSeconds: 3650 * DAY })
    .prefault('90d')
    .describe('Lifetime of a session after its sign-in, however often it is refreshed, from 1m to 3650d.')
    .meta({ examples: ['365d', '12h'] }),
  REFRESH_SESSION_LIMIT: limit()
    .prefault('1000')
    .describe('Refreshes of one session in an hour; further ones are rejected with 429.')
    .meta({ examples: ['100'] }),
  SIGN_IN_FAILURES: limit()
    .prefault('10')
    .describe(
      'Consecutive failed sign-ins from one address (of IPv6 a /64) before an account is locked for it, whether or not it exists.',
    )
    .meta({ examples: ['5'] }),
  SIGN_IN_ACCOUNT_FAILURES: limit()
    .prefault('100')
    .describe(
      'The same over all addresses; the lock does not apply to addresses from which the account signed in within 30 days.',
    )
    .meta({ examples: ['1000'] }),
  SIGN_IN_LOCK: duration({ minSeconds: 1, maxSeconds: DAY })
    .prefault('1m')
    .describe('Duration of the first lock; each further failure doubles it.')
    .meta({ examples: ['30s'] }),
  SIGN_IN_LOCK_MAX: duration({ minSeconds: 1, maxSeconds: DAY })
    .prefault('15m')
    .describe('Maximum duration of a lock.')
    .meta({ examples: ['1h'] }),
  SIGN_IN_ADDRESS_FAILURES: limit()
    .prefault('100')
    .describe('Failed attempts before an address (of IPv6 a /64) is blocked until its window ends.')
    .meta({ examples: ['1000'] }),
  SIGN_UP_ADDRESS_LIMIT: limit()
    .prefault('1000')
    .describe('Sign-ups of an address (of IPv6 a /64) in an hour; further ones are rejected with 429.')
    .meta({ examples: ['100'] }),
  PASSWORD_RESET_ADDRESS_LIMIT: limit()
    .prefault('100')
    .describe(
      'Password resets that an address (of IPv6 a /64) asks for in an hour; further ones are rejected with 429.',
    )
    .meta({ examples: ['20'] }),
  PASSWORD_RESET_LIMIT: limit()
    .prefault('5')
    .describe(
      'Mails for password resets of one account in an hour. Further requests have the same response, and send nothing.',
    )
    .meta({ examples: ['3'] }),
  EMAIL_VERIFICATION: z
    .enum(['off', 'on'], { error: 'must be off or on' })
    .default('off')
    .describe(
      'Whether an e-mail must be confirmed by a link: at sign-up for what needs a verified e-mail, and before a changed one holds.',
    )
    .meta({ examples: ['on'] }),
  EMAIL_VERIFICATION_LIMIT: limit()
    .prefault('5')
    .describe(
      'Links that confirm an e-mail in an hour, of one account and to one e-mail; further ones are rejected with 429.',
    )
    .meta({ examples: ['3'] }),
  NEW_DEVICE_MAIL: z
    .enum(['off', 'on'], { error: 'must be off or on' })
    .default('off')
    .describe(
      'Whether users are told by mail of a sign-in from an address or a device that they did not use within 30 days.',
    )
    .meta({ examples: ['on'] }),
  APP_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an http or https URL, such as https://example.com',
    })
    .default('http://localhost:3000')
    .describe('Where users open the application. The links of mails begin with it.')
    .meta({ examples: ['https://example.com'] }),
  SIGN_IN_ADDRESS_WINDOW: duration({ minSeconds: 1, maxSeconds: DAY })
    .prefault('15m')
    .describe(
      'Duration of the window in which failed attempts of an address are counted, from the first one.',
    )
    .meta({ examples: ['1h'] }),
  AUDIT_RETENTION: duration({ minSeconds: DAY, maxSeconds: 3650 * DAY })
    .prefault('90d')
    .describe(
      'Retention of the audit log, from 1d to 3650d. Of several programs on a store the longest applies.',
    )
    .meta({ examples: ['365d'] }),
  MAIL_RETENTION: duration({ minSeconds: DAY, maxSeconds: 365 * DAY })
    .prefault('7d')
    .describe(
      'Retention of mails in the outbox, sent or not, from 1d to 365d. Of several programs on a store the longest applies.',
    )
    .meta({ examples: ['30d'] }),
};
