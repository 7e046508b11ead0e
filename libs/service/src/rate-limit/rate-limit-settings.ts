import { type EnvironmentOf, orOff, rate, setting } from '@app/settings';

/** Settings of rate limits. */
export const rateLimitSettings = {
  RATE_LIMIT: orOff(rate())
    .prefault('off')
    .describe(
      'Requests of one caller (a user with all sessions and API keys, or else an address) to all routes without an `@RateLimit` of their own; further ones are rejected with 429. `off` for no limit. Programs with one `RATE_LIMIT_STORE` share the counts.',
    )
    .meta({ examples: ['600/1m', '10000/1h'] }),
  RATE_LIMIT_STORE: setting(
    readStore,
    'must be store, or valkey://user:password@host:port/database (valkeys:, redis: or rediss:)',
  )
    .prefault('store')
    .describe(
      'Where programs add up the counts of rate limits: `store`, the database, or a server of Valkey or Redis, with TLS by `valkeys:` or `rediss:`. While it is unavailable, each program limits alone.',
    )
    .meta({ examples: ['valkeys://sluice:…@valkey:6379/0', 'redis://127.0.0.1'], secret: true }),
};

/** The settings that rate limits are opened with. */
export type RateLimitSettings = EnvironmentOf<typeof rateLimitSettings>;

/** @returns `undefined` for what is neither `store` nor such a URL */
function readStore(text: string): string | undefined {
  if (text === 'store') return text;
  if (!/^(?:valkey|redis)s?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, pathname, search, hash, username, password } = new URL(text);
  if (hostname === '' || hostname.includes(',') || search + hash !== '') return undefined;
  return /^(?:\/\d{0,4})?$/.test(pathname) && isEncoded(username + password) ? text : undefined;
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
