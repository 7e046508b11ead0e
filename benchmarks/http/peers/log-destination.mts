import { pino } from 'pino';

/** Returns standard output, written in batches. */
export function logDestination() {
  return pino.destination({ dest: 1, sync: false, minLength: 16_000 });
}
