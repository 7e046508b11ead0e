import { z } from 'zod';
import { readDuration } from './duration';
import { weaknessOf } from './secrets/weakness';

const DAY = 86_400;
/**
 * Parses a duration such as `60s`, `5m`, `1h` or `30d`; plain digits are seconds.
 *
 * @param bounds in seconds, inclusive
 * @returns a schema from text to whole seconds
 */
export function duration(bounds: { readonly minSeconds: number; readonly maxSeconds: number }) {
  const { minSeconds, maxSeconds } = bounds;
  const error = `must be a duration such as 60s, 5m, 1h or 30d, from ${minSeconds} to ${maxSeconds} seconds`;
  return (
    z
      .string({ error })
      .transform(readDuration)
      // NaN is outside any bounds.
      .refine((seconds) => seconds >= minSeconds && seconds <= maxSeconds, { error })
  );
}

function secret() {
  return z
    .string()
    .refine((text) => weaknessOf(text) === undefined, { error: ({ input }) => weaknessOf(String(input)) })
    .optional();
}

/** Environment variables of this library. */
export const authSettings = {
  JWT_SECRET: secret()
    .describe('The secret that signs access tokens: at least 32 bytes, not a published example.')
    .meta({ secret: true }),
  JWT_SECRET_PREVIOUS: secret()
    .describe('A second secret that verifies tokens and signs none, for the rotation of JWT_SECRET.')
    .meta({ secret: true }),
  ACCESS_TOKEN_TTL: duration({ minSeconds: 1, maxSeconds: DAY })
    .prefault('60s')
    .describe('Lifetime of an access token, from 1s to 1d.')
    .meta({ examples: ['60s', '5m'] }),
};
