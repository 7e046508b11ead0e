import { ownRule, withMeaning } from '@app/shapes';
import type { ValidationOptions } from 'class-validator';

const MOMENT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** The first moment that both stores can name, and the last one that four digits can. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Reads a moment as the wire writes one: `2026-11-21T09:30:00Z`, date, time and offset.
 *
 * @returns the moment to the millisecond; `undefined` for anything else, a day that its month does not have included
 * @see RFC 3339 (of which leap seconds and lower case are left out, for `Date` knows neither)
 */
export function readMoment(value: unknown): Date | undefined {
  const [, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  if (day === undefined || !isDay(day)) return undefined;
  const moment = new Date(String(value));
  return moment.getTime() >= FIRST && moment.getTime() <= LAST ? moment : undefined;
}

/** A string that {@link readMoment} can read. Alone among rules about dates, it takes no day without a time or an offset. */
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

/** `Date` turns 30 February into 2 March. */
function isDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}
