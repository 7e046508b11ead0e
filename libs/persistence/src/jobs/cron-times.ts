import { Cron } from 'croner';

/** Finds the first time of a cron expression after a time; `null` if there is none. */
export type CronTimes = (after: Date) => Date | null;

/**
 * Reads a cron expression with five fields: minute, hour, day, month and weekday.
 *
 * @param timeZone such as `Europe/Vienna`
 * @throws Error for an invalid expression or time zone
 */
export function cronTimes(expression: string, timeZone: string): CronTimes {
  const cron = new Cron(expression, { mode: '5-part', timezone: timeZone, paused: true });
  if (cron.nextRun() === null)
    throw new TypeError(`the cron expression ${expression} has no time in the future`);
  return (after) => cron.nextRun(after);
}
