import { channel } from 'node:diagnostics_channel';

/** What rate limits publish while somebody subscribes. */
export const rateLimitChannels = {
  /** Whether the server of `RATE_LIMIT_STORE` took counts, as a boolean, when that changes. */
  serverUp: channel('sluice:rate-limit:server-up'),
};
