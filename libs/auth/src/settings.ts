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

/** Returns whether a text is an HTTPS URL, or a plain HTTP URL on this machine. */
function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '');
  return url?.search === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal));
}

/** This library's environment variables. */
export const authSettings = {
  JWT_SECRET: secret()
    .describe('The secret that signs access tokens: at least 32 bytes, not a published example.')
    .meta({ secret: true }),
  JWT_SECRET_PREVIOUS: secret()
    .describe('The previous secret, which still verifies tokens while you rotate JWT_SECRET.')
    .meta({ secret: true }),
  JWT_ALGORITHM: z
    .enum(tokenAlgorithms, { error: `must be one of ${tokenAlgorithms.join(', ')}` })
    .default('HS256')
    .describe(
      'Algorithm that signs access tokens. With ES256 and EdDSA the key is created in JWT_KEY_FILE, and other services verify by `/.well-known/jwks.json`.',
    )
    .meta({ examples: ['ES256', 'EdDSA'] }),
  JWT_KEY_FILE: z
    .string()
    .min(1, { error: 'must be the path of a file' })
    .optional()
    .describe(
      'File with the signing keys: a JWK Set or PEM. The first key signs, and all keys verify. The program reads the file again when it changes (the command `keys` rotates). Created if missing. By default JWT_SECRET signs with HS256, and other keys are beside the SQLite database.',
    )
    .meta({ examples: ['/run/secrets/jwt-keys.json'] }),
  PASSWORD_LIST: z
    .enum(['off', 'common'], { error: 'must be off or common' })
    .default('off')
    .describe(
      "`common` rejects new passwords that are among the 100,000 commonest, or resemble the account's e-mail, `APP_URL` or the program's name. Existing passwords stay valid. Recommended in production.",
    )
    .meta({ examples: ['common'] }),
  PASSWORD_RANGE_URL: z
    .string()
    .refine((text) => isHttpUrl(text), {
      error: 'must be an https URL without a query, such as https://api.pwnedpasswords.com/range',
    })
    .optional()
    .describe(
      "Breached-password service (k-anonymity range protocol), which gets the first five hexadecimal digits of the password's SHA-1. Breached passwords are rejected. If the service is silent for a second, the password is accepted.",
    )
    .meta({ examples: ['https://api.pwnedpasswords.com/range'] }),
  ACCESS_TOKEN_TTL: seconds({ from: '1s', to: '90d' })
    .prefault('60s')
    .describe(
      'Lifetime of an access token, from 1s to 90d. Above 1d the log warns at each start, since a stolen token works for that long unless its session is revoked.',
    )
    .meta({ examples: ['60s', '5m'] }),
};
