import { z } from 'zod';
import { seconds } from '@app/settings';
import { tokenAlgorithms } from './tokens/algorithms';
import { weaknessOf } from './secrets/weakness';

function secret() {
  return z
    .string()
    .refine((text) => weaknessOf(text) === undefined, { error: ({ input }) => weaknessOf(String(input)) })
    .optional();
}

/** Plain HTTP for a service of this machine alone. */
function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.search === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal));
}

/** Environment variables of this library. */
export const authSettings = {
  JWT_SECRET: secret()
    .describe('The secret that signs access tokens: at least 32 bytes, not a published example.')
    .meta({ secret: true }),
  JWT_SECRET_PREVIOUS: secret()
    .describe('A second secret that verifies tokens and signs none, for the rotation of JWT_SECRET.')
    .meta({ secret: true }),
  JWT_ALGORITHM: z
    .enum(tokenAlgorithms, { error: `must be one of ${tokenAlgorithms.join(', ')}` })
    .default('HS256')
    .describe(
      'Algorithm of the key that signs access tokens. With ES256 and EdDSA it is created in JWT_KEY_FILE; others verify by `/.well-known/jwks.json`.',
    )
    .meta({ examples: ['ES256', 'EdDSA'] }),
  JWT_KEY_FILE: z
    .string()
    .min(1, { error: 'must be the path of a file' })
    .optional()
    .describe(
      'File with the keys of access tokens: a JWK Set or PEM, of which the first signs and all verify. Read again when it changes, so that keys are rotated without a restart (the command `keys`). Created if missing. By default JWT_SECRET signs with HS256, and other keys are beside the SQLite database.',
    )
    .meta({ examples: ['/run/secrets/jwt-keys.json'] }),
  PASSWORD_LIST: z
    .enum(['off', 'common'], { error: 'must be off or common' })
    .default('off')
    .describe(
      '`common` rejects new passwords that are among the 100,000 commonest of 8 characters and more, in any case, and those that are hardly more than the e-mail of the account, `APP_URL` or the name of the program, at sign-up, change and reset. Recommended in production. Existing passwords are not affected.',
    )
    .meta({ examples: ['common'] }),
  PASSWORD_RANGE_URL: z
    .string()
    .refine((text) => isHttpUrl(text), {
      error: 'must be an https URL without a query, such as https://api.pwnedpasswords.com/range',
    })
    .optional()
    .describe(
      'Service that knows breached passwords, by the k-anonymity range protocol: new passwords that it knows are rejected. It is sent five of the forty hexadecimal digits of the SHA-1. While it does not respond within a second, none is rejected.',
    )
    .meta({ examples: ['https://api.pwnedpasswords.com/range'] }),
  ACCESS_TOKEN_TTL: seconds({ from: '1s', to: '90d' })
    .prefault('60s')
    .describe(
      'Lifetime of an access token, from 1s to 90d. Above 1d the log says at each start what it costs: a stolen token is accepted until its session is revoked, and revocations and retired keys are needed for as long.',
    )
    .meta({ examples: ['60s', '5m'] }),
};
