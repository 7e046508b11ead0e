import { channel } from 'node:diagnostics_channel';

/** The channels on which rate limits publish while somebody subscribes. */
export const rateLimitChannels = {
  /** Publishes whether the `RATE_LIMIT_STORE` server took counts, as a boolean, when that changes. */
  serverUp: channel('sluice:rate-limit:server-up'),
};
