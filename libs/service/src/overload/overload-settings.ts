import { count, milliseconds, orOff } from '@app/settings';

/** Settings for load shedding. */
export const overloadSettings = {
  MAX_DELAY: orOff(milliseconds({ from: '10ms', to: '1m' }))
    .prefault('250ms')
    .describe(
      'Queueing delay above which requests are rejected with 503 and `Retry-After`; `off` for no limit. Health routes are never rejected.',
    )
    .meta({ examples: ['100ms', 'off'] }),
  MAX_IN_FLIGHT: orOff(count({ from: 1, to: 100_000 }))
    .prefault('1000')
    .describe('Most requests in flight; further requests get 503. `off` for no limit.')
    .meta({ examples: ['5000'] }),
};
