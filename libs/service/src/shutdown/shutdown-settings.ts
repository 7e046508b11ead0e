import { type EnvironmentOf, milliseconds } from '@app/settings';
import type { listenSettings } from '../process/listen-settings';

/** The settings for graceful shutdown. */
export const shutdownSettings = {
  DRAIN_DELAY: milliseconds({ from: '0s', to: '10m' })
    .optional()
    .describe(
      "Time between SIGTERM and the shutdown. Requests are served with `Connection: close`, and readiness is 503. Choose it longer than the load balancer's health-check interval. Default: 5s if `NODE_ENV` is `production`, otherwise 0s.",
    )
    .meta({ examples: ['10s'] }),
};

const productionDrainMs = 5000;

/** Returns how long a program serves after SIGTERM, in milliseconds, before it shuts down: `DRAIN_DELAY`, or its default. */
export function drainDelayOf({
  DRAIN_DELAY,
  NODE_ENV,
}: EnvironmentOf<typeof shutdownSettings & Pick<typeof listenSettings, 'NODE_ENV'>>): number {
  return DRAIN_DELAY ?? (NODE_ENV === 'production' ? productionDrainMs : 0);
}
