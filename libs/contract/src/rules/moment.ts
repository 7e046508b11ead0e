import { ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';

const MOMENT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The first timestamp that both stores support, and the last timestamp with a four-digit year. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Parses a timestamp: `2026-11-21T09:30:00Z`, date, time and offset.
 *
 * @returns the time to the millisecond; `undefined` for anything else, including nonexistent days
 * @see RFC 3339 (without leap seconds and lower case, which `Date` does not support)
 */
export function readMoment(value: unknown): Date | undefined {
  const [, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (day === undefined || !isDay(day)) return undefined;
  const moment = new Date(String(value));
  return moment.getTime() >= FIRST && moment.getTime() <= LAST ? moment : undefined;
}

/**
 * A string that {@link readMoment} can parse. Unlike class-validator's rules for dates, it requires a time and an
 * offset.
 */
export function IsMoment(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isMoment',
      test: (value) => readMoment(value) !== undefined,
      message: (eachPrefix) => `${eachPrefix}$property must be a moment such as 2026-11-21T09:30:00Z`,
    },
    options,
  );
  const keywords = { type: 'string', format: 'date-time', pattern: MOMENT.source };
  return withMeaning(declare, { keywords });
}

/** Whether a day such as `2026-02-30` exists; `Date` converts it to 2 March. */
export function isDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}
