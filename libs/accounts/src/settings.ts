import { isIssuerUrl } from '@app/auth';
import { count, onOrOff, orOff, rate, seconds, setting } from '@app/settings';
import { isEmail } from 'class-validator';
import { z } from 'zod';

const failures = count({ from: 1, to: 1_000_000 });

/** This library's environment variables. */
export const accountsSettings = {
  ADMIN_EMAIL: z
    .string()
    .refine((text) => isEmail(text), { error: 'must be an e-mail address, such as admin@example.com' })
    .optional()
    .describe(
      'E-mail of the first administrator, created at start if no administrator exists. The command `admin:reset` creates or restores an administrator later.',
    )
    .meta({ examples: ['admin@example.com'] }),
  ADMIN_PASSWORD: z
    .string()
    .min(8, { error: 'must be at least 8 characters long' })
    .max(256, { error: 'must be at most 256 characters long' })
    .optional()
    .describe('Password of the first administrator. Required with `ADMIN_EMAIL`.')
    .meta({ secret: true }),
  REFRESH_TOKEN_TTL: seconds({ from: '1m', to: '3650d' })
    .prefault('30d')
    .describe('Lifetime of a session after its last refresh, from 1m to 3650d.')
    .meta({ examples: ['30d', '12h'] }),
  SESSION_LIFETIME: seconds({ from: '1m', to: '3650d' })
    .prefault('90d')
    .describe('Lifetime of a session after its sign-in, however often it is refreshed, from 1m to 3650d.')
    .meta({ examples: ['365d', '12h'] }),
  REFRESH_SESSION_LIMIT: orOff(rate())
    .prefault('1000/1h')
    .describe('Refreshes per session; further refreshes get 429.')
    .meta({ examples: ['100/1h', 'off'] }),
  SIGN_IN_FAILURES: failures
    .prefault('10')
    .describe(
      'Consecutive failed sign-ins from an address (IPv6 /64) that lock an account there. Ten times as many over all addresses lock it for addresses without a sign-in in the last 30 days. Unknown accounts behave alike.',
    )
    .meta({ examples: ['5'] }),
  SIGN_IN_ADDRESS_LIMIT: orOff(rate())
    .prefault('100/15m')
    .describe(
      'Failed attempts per address (IPv6 /64) in a period that begins with the first failure. Further attempts get 429 until it ends.',
    )
    .meta({ examples: ['1000/1h', 'off'] }),
  SIGN_UP: z
    .enum(['open', 'invited', 'off'], { error: 'must be open, invited or off' })
    .default('open')
    .describe(
      'Who can create an account: everybody (`open`), users with an invitation from a plugin (`invited`), or only operators and commands (`off`). It also applies to new users of identity providers and trusted issuers.',
    )
    .meta({ examples: ['invited'] }),
  SIGN_UP_ADDRESS_LIMIT: orOff(rate())
    .prefault('1000/1h')
    .describe('Sign-ups per address (IPv6 /64); further sign-ups get 429.')
    .meta({ examples: ['100/1h', 'off'] }),
  PASSWORD_CHANGE: z
    .enum(['recent', 'current'], { error: 'must be recent or current' })
    .default('recent')
    .describe(
      "Requirement for a password change: `recent` for a sign-in within 15 minutes, `current` for the caller's `currentPassword` as well, limited like sign-ins.",
    )
    .meta({ examples: ['current'] }),
  PASSWORD_RESET_ADDRESS_LIMIT: orOff(rate())
    .prefault('100/1h')
    .describe('Password-reset requests per address (IPv6 /64); further requests get 429.')
    .meta({ examples: ['20/1h', 'off'] }),
  PASSWORD_RESET_LIMIT: orOff(rate())
    .prefault('5/1h')
    .describe(
      'Password-reset mails per account and requesting address (IPv6 /64), and four times as many over all addresses. Further requests get the same response without a mail.',
    )
    .meta({ examples: ['3/1h', 'off'] }),
  EMAIL_VERIFICATION: onOrOff()
    .default('off')
    .describe(
      'Whether an e-mail must be confirmed by a link: at sign-up, for routes that require a verified e-mail, and before an e-mail change takes effect.',
    )
    .meta({ examples: ['on'] }),
  NEW_DEVICE_MAIL: onOrOff()
    .default('off')
    .describe(
      'Whether users get a mail about a sign-in from an address or device that is new within 30 days.',
    )
    .meta({ examples: ['on'] }),
  API_URL: setting(
    (text) => (isIssuerUrl(text) ? text.replace(/\/$/, '') : undefined),
    'must be an https URL without a query, or http of this machine, such as https://api.example.com',
  )
    .optional()
    .describe(
      'Public base URL of this program: the `iss` claim in its access tokens, and the subject of `/.well-known/oauth-authorization-server`, `openid-configuration` and `oauth-protected-resource`. By default `iss` is `sluice`, and these routes are a 404.',
    )
    .meta({ examples: ['https://api.example.com'] }),
  APP_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an http or https URL, such as https://example.com',
    })
    .optional()
    .describe(
      'Public base URL of the web application. Mailed links start with it. By default links start with `API_URL`, or `http://localhost` and `PORT`, and the program serves the pages that set a password.',
    )
    .meta({ examples: ['https://example.com'] }),
  AUDIT_RETENTION: seconds({ from: '1d', to: '3650d' })
    .prefault('90d')
    .describe('Audit-log retention, from 1d to 3650d. For several programs on a store, the longest applies.')
    .meta({ examples: ['365d'] }),
};
