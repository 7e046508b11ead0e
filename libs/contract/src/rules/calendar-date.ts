import { ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';
import { isDay } from './moment';

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Validates a day without a time, such as `2026-11-21`, as a string, because a `Date` would add a time zone. Nonexistent days
 * are rejected.
 *
 * @see RFC 3339, `full-date`
 */
export function IsCalendarDate(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'isCalendarDate',
      test: (value) => typeof value === 'string' && DAY.test(value) && isDay(value),
      message: (eachPrefix) => `${eachPrefix}$property must be a day such as 2026-11-21`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { type: 'string', format: 'date', pattern: DAY.source } });
}
