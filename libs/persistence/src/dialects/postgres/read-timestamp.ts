import { types } from 'pg';

const readAny = types.getTypeParser(types.builtins.TIMESTAMPTZ);

/** The `2026-01-02 03:04:05` length, before the fraction and the zone. */
const TIME_LENGTH = 19;
/** The length of `+00`. */
const ZONE_LENGTH = 3;
/** The factor for a fraction by its digit count. PostgreSQL omits trailing zeros. */
const scales = [0, 100, 10, 1];

/** Reads a timestamp with time zone digit by digit, much faster than `pg`. Timestamps in an unusual form are left to `pg`. */
export function readTimestamp(text: string): unknown {
  if (!isCommon(text)) return readAny(text);
  const zone = text.length - ZONE_LENGTH;
  const days = daysSince1970(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  const hoursOfZone = digits(text, zone + 1, text.length) * (text[zone] === '-' ? -1 : 1);
  const minutes = (days * 24 + digits(text, 11, 13) - hoursOfZone) * 60 + digits(text, 14, 16);
  const fraction = digits(text, TIME_LENGTH + 1, zone) * (scales[zone - TIME_LENGTH - 1] ?? 0);
  return new Date((minutes * 60 + digits(text, 17, TIME_LENGTH)) * 1000 + fraction);
}

/** Returns whether the timestamp has a four-digit year from 1000, milliseconds at most, and a whole-hour zone. */
function isCommon(text: string): boolean {
  const zone = text.length - ZONE_LENGTH;
  if (zone < TIME_LENGTH || zone > TIME_LENGTH + 4) return false;
  return text[0] !== '0' && text[4] === '-' && (text[zone] === '+' || text[zone] === '-');
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}

/** Counts days in the Gregorian calendar. The year begins in March here, so that a leap day is its last day. */
function daysSince1970(year: number, month: number, day: number): number {
  const begun = month < 3 ? year - 1 : year;
  const leapDays = Math.floor(begun / 4) - Math.floor(begun / 100) + Math.floor(begun / 400);
  const daysOfMonths = Math.floor((153 * ((month + 9) % 12) + 2) / 5);
  return 365 * begun + leapDays + daysOfMonths + day - 719_469;
}
