import { z } from 'zod';
import { weaknessOf } from './secrets/weakness';

const DAY = 86_400;
const SECONDS_IN = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', DAY],
]);
const DURATION = /^(\d{1,9})([smhd]?)$/;

/**
 * Reads a duration such as `60s`, `5m`, `1h` or `30d`; plain digits are seconds.
 *
 * @param bounds the least and the most it may be, in seconds, both included
 * @returns a schema from text to whole seconds
 */
export function duration(bounds: { readonly minSeconds: number; readonly maxSeconds: number }) {
  const { minSeconds, maxSeconds } = bounds;
  const error = `must be a duration such as 60s, 5m, 1h or 30d, from ${minSeconds} to ${maxSeconds} seconds`;
  return z
    .string({ error })
    .transform(secondsOf)
    .refine((seconds) => seconds >= minSeconds && seconds <= maxSeconds, { error });
}

/** NaN, which lies between no bounds, if it is no duration. */
function secondsOf(text: string): number {
  const [, digits, unit = ''] = DURATION.exec(text) ?? [];
  return Number(digits) * (SECONDS_IN.get(unit) ?? NaN);
}

function secret() {
  return z
    .string()
    .refine((text) => weaknessOf(text) === undefined, { error: ({ input }) => weaknessOf(String(input)) })
    .optional();
}

/** What this lib needs to be told, by environment variable. */
export const authSettings = {
  JWT_SECRET: secret()
    .describe('The secret that signs access tokens: at least 32 bytes, and no published example.')
    .meta({ secret: true }),
  JWT_SECRET_PREVIOUS: secret()
    .describe(
      'A secret that still verifies tokens and no longer signs them, while JWT_SECRET is being turned.',
    )
    .meta({ secret: true }),
  ACCESS_TOKEN_TTL: duration({ minSeconds: 1, maxSeconds: DAY })
    .prefault('60s')
    .describe('How long an access token lives, from 1s to 1d.')
    .meta({ examples: ['60s', '5m'] }),
};
