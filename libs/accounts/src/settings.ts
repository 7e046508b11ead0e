import { count, onOrOff, orOff, rate, seconds, setting } from '@app/settings';
import { isEmail } from 'class-validator';
import { z } from 'zod';
import { tokenIntrospection } from './trusted-issuers/introspection-rules';
import { isIssuerUrl, trustedIssuers } from './trusted-issuers/issuer-rules';

const failures = count({ from: 1, to: 1_000_000 });

/** Environment variables of this library. */
export const accountsSettings = {
  ADMIN_EMAIL: z
    .string()
    .refine((text) => isEmail(text), { error: 'must be an e-mail address, such as admin@example.com' })
    .optional()
    .describe(
      'E-mail of the first administrator, created at start if there is no administrator; the command `admin:reset` creates or restores one later.',
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
    .describe('Refreshes of one session; further ones are rejected with 429.')
    .meta({ examples: ['100/1h', 'off'] }),
  SIGN_IN_FAILURES: failures
    .prefault('10')
    .describe(
      'Consecutive failed sign-ins from one address (of IPv6 a /64) before an account is locked for it, whether or not it exists; ten times as many over all addresses lock it for addresses from which it did not sign in within 30 days.',
    )
    .meta({ examples: ['5'] }),
  SIGN_IN_ADDRESS_LIMIT: orOff(rate())
    .prefault('100/15m')
    .describe(
      'Failed attempts of one address (of IPv6 a /64) in a period, counted from the first; further ones are rejected with 429 until its end.',
    )
    .meta({ examples: ['1000/1h', 'off'] }),
  SIGN_UP_ADDRESS_LIMIT: orOff(rate())
    .prefault('1000/1h')
    .describe('Sign-ups of an address (of IPv6 a /64); further ones are rejected with 429.')
    .meta({ examples: ['100/1h', 'off'] }),
  PASSWORD_CHANGE: z
    .enum(['recent', 'current'], { error: 'must be recent or current' })
    .default('recent')
    .describe(
      'What a change of the password requires: `recent` a sign-in within 15 minutes, `current` also the current password of the caller, as `currentPassword`, within the limits of failed sign-ins.',
    )
    .meta({ examples: ['current'] }),
  PASSWORD_RESET_ADDRESS_LIMIT: orOff(rate())
    .prefault('100/1h')
    .describe('Password resets that an address (of IPv6 a /64) requests; further ones are rejected with 429.')
    .meta({ examples: ['20/1h', 'off'] }),
  PASSWORD_RESET_LIMIT: orOff(rate())
    .prefault('5/1h')
    .describe(
      'Mails for password resets of one account that one address (of IPv6 a /64) requests, and four times as many over all addresses. Further requests have the same response, and send nothing.',
    )
    .meta({ examples: ['3/1h', 'off'] }),
  EMAIL_VERIFICATION: onOrOff()
    .default('off')
    .describe(
      'Whether an e-mail must be confirmed by a link: at sign-up for routes that require a verified e-mail, and before a changed one takes effect.',
    )
    .meta({ examples: ['on'] }),
  NEW_DEVICE_MAIL: onOrOff()
    .default('off')
    .describe(
      'Whether users are notified by mail of a sign-in from an address or a device that they did not use within 30 days.',
    )
    .meta({ examples: ['on'] }),
  TRUSTED_ISSUERS: trustedIssuers()
    .optional()
    .describe(
      'Issuers whose access tokens are accepted beside our own, each a URL and its options, separated by spaces: `audience` (required), `type=any` for tokens whose `typ` is not `at+jwt`, `algorithms=RS256,ES256`, `lifetime=1h`, `leeway=10s`, `roles=<claim> role-map=<value>:<role>,…`, `scopes=<claim> scope-map=<value>:<scope>,…`, `two-factors=amr:mfa,acr:<value>` for sign-ins by two factors, `accounts=off` for callers without an account.',
    )
    .meta({ examples: ['https://id.example.com/realms/shop audience=shop-api'] }),
  TOKEN_INTROSPECTION: tokenIntrospection()
    .optional()
    .describe(
      'The one of `TRUSTED_ISSUERS` that is asked about tokens that are no JWT (RFC 7662), with the client that asks: `client` and `secret`, and `cache=1m`, for how long a response is used at most. Default: such tokens are rejected.',
    )
    .meta({
      examples: ['https://id.example.com/realms/shop client=shop-api secret=…'],
      needs: 'TRUSTED_ISSUERS',
      secret: true,
    }),
  API_URL: setting(
    (text) => (isIssuerUrl(text) ? text.replace(/\/$/, '') : undefined),
    'must be an https URL without a query, or http of this machine, such as https://api.example.com',
  )
    .optional()
    .describe(
      'Public base URL of this program: the `iss` of its access tokens, and what `/.well-known/oauth-authorization-server`, `openid-configuration` and `oauth-protected-resource` are about. Without it `iss` is `sluice`, and these are a 404.',
    )
    .meta({ examples: ['https://api.example.com'] }),
  APP_URL: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'must be an http or https URL, such as https://example.com',
    })
    .optional()
    .describe(
      'Public base URL of the web application, whose pages call this program; links in mails start with it. Without it, links start with `API_URL`, or with `http://localhost` and `PORT`, and the program serves a page for the links that set a password.',
    )
    .meta({ examples: ['https://example.com'] }),
  AUDIT_RETENTION: seconds({ from: '1d', to: '3650d' })
    .prefault('90d')
    .describe(
      'Retention of the audit log, from 1d to 3650d. Of several programs on a store the longest applies.',
    )
    .meta({ examples: ['365d'] }),
};
