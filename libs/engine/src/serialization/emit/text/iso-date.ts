const DAY = 86_400_000;

/** The days from 1970 to 0000-01-01 and 9999-12-31. Beyond these days, ISO 8601 needs a sign and six digits. */
const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;

const { fromCharCode } = String;

const ZERO = 0x30;
const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;
const T = 0x54;
const Z = 0x5a;

/** The eight digits of the last written day, because the dates in a response often share a day. */
let lastDay = Number.NaN;
const y = new Uint8Array(4);
const md = new Uint8Array(4);

/**
 * Formats a point in time like `Date#toJSON`: `2026-11-21T04:05:06.789Z`, or `null` for an invalid date.
 *
 * It builds the text from character codes at once, because JSON.stringify would have to flatten concatenated text first.
 *
 * @param moment milliseconds since 1970, like `Date#valueOf`
 */
export function isoDate(moment: number): string | null {
  const day = Math.floor(moment / DAY);
  if (!(day >= FIRST_DAY && day <= LAST_DAY) || !Number.isInteger(moment)) return new Date(moment).toJSON();
  if (day !== lastDay) turnTo(day);
  const rest = moment - day * DAY;
  const second = (rest / 1000) | 0;
  const minute = (second / 60) | 0;
  const h = (minute / 60) | 0;
  const m = minute - h * 60;
  const s = second - minute * 60;
  const ms = rest - second * 1000;
  // prettier-ignore
  return fromCharCode(
    y[0], y[1], y[2], y[3], DASH, md[0], md[1], DASH, md[2], md[3], T,
    ZERO + ((h / 10) | 0), ZERO + (h % 10), COLON,
    ZERO + ((m / 10) | 0), ZERO + (m % 10), COLON,
    ZERO + ((s / 10) | 0), ZERO + (s % 10), DOT,
    ZERO + ((ms / 100) | 0), ZERO + (((ms / 10) | 0) % 10), ZERO + (ms % 10), Z,
  );
}

/** Formats a point in time as JSON text: in quotes, or `null`. */
export function dateText(moment: number): string {
  const date = isoDate(moment);
  return date === null ? 'null' : `"${date}"`;
}

/** The days from 1970 to 0000-03-01, when a cycle of four hundred years begins. */
const MARCH_0000 = -719_468;
const DAYS_OF_400_YEARS = 146_097;

/** Calculates the digits with years that begin in March, so that a leap day is the last day. */
function turnTo(day: number): void {
  lastDay = day;
  const since = day - MARCH_0000;
  const cycle = Math.floor(since / DAYS_OF_400_YEARS);
  const ofCycle = since - cycle * DAYS_OF_400_YEARS;
  const leaps = ((ofCycle / 1460) | 0) - ((ofCycle / 36_524) | 0) + ((ofCycle / 146_096) | 0);
  const year = ((ofCycle - leaps) / 365) | 0;
  const ofYear = ofCycle - (365 * year + ((year / 4) | 0) - ((year / 100) | 0));
  const fromMarch = ((5 * ofYear + 2) / 153) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  writeDigits(y, year + cycle * 400 + (month <= 2 ? 1 : 0));
  writeDigits(md, month * 100 + ofYear - (((153 * fromMarch + 2) / 5) | 0) + 1);
}

function writeDigits(digits: Uint8Array, value: number): void {
  digits[0] = ZERO + ((value / 1000) | 0);
  digits[1] = ZERO + (((value / 100) | 0) % 10);
  digits[2] = ZERO + (((value / 10) | 0) % 10);
  digits[3] = ZERO + (value % 10);
}
