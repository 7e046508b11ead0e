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
 * Parses a duration such as `60s`, `5m`, `1h` or `30d`; plain digits are seconds.
 *
 * @param bounds in seconds, inclusive
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

/** NaN for invalid text, which is outside any bounds. */
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
