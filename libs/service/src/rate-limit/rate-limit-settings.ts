import { orOff, rate } from '@app/settings';

/** The settings for rate limits. */
export const rateLimitSettings = {
  RATE_LIMIT: orOff(rate())
    .prefault('off')
    .describe(
      'Requests of one caller (a user with all sessions and API keys, or else an address) to all routes without an `@RateLimit` of their own; further ones are rejected with 429. `off` for no limit. Programs on one database share the counts, and so do programs with one `RATE_LIMIT_STORE`.',
    )
    .meta({ examples: ['600/1m', '10000/1h'] }),
};
