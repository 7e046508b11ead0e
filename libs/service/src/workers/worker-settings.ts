import { availableParallelism } from 'node:os';
import { seconds, setting } from '@app/settings';

const workers = setting((text) => {
  if (text === 'auto') return availableParallelism();
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= 64 ? number : undefined;
}, 'must be auto, or a whole number from 1 to 64');

/** The settings for a program's processes. */
export const workerSettings = {
  WORKERS: workers
    .prefault('1')
    .describe(
      'Processes that share the port, each on a core: `auto` for one per core. Limits of a program, such as `MAX_IN_FLIGHT` and `DATABASE_POOL_SIZE`, apply to each.',
    )
    .meta({ examples: ['auto', '4'] }),
  WORKER_TIMEOUT: seconds({ from: '1s', to: '1h' })
    .prefault('10s')
    .describe('Time without a heartbeat after which a worker is killed and restarted, from 1s to 1h.')
    .meta({ examples: ['30s'] }),
};
