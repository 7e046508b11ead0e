const DAY = 86_400_000;
const MINUTE = 60_000;

/** Days since 1970 of 0000-01-01 and 9999-12-31: outside, ISO 8601 needs a sign and six digits. */
const FIRST_DAY = -719_528;
const LAST_DAY = 2_932_896;

/** Days that are kept as text; a day's place is its last bits. */
const KEPT_DAYS = 256;
const keptDays = new Int32Array(KEPT_DAYS).fill(LAST_DAY + 1);
const keptTexts: string[] = Array.from({ length: KEPT_DAYS }, () => '');

const minutes = Array.from(
  { length: 1440 },
  (_, at) => `${digits(Math.floor(at / 60), 2)}:${digits(at % 60, 2)}:`,
);
const seconds = Array.from({ length: 60 }, (_, at) => `${digits(at, 2)}.`);
const milliseconds = Array.from({ length: 1000 }, (_, at) => `${digits(at, 3)}Z"`);

/**
 * A moment as `JSON.stringify` writes a `Date`: `"2026-11-21T04:05:06.789Z"`, or `null` when there is no such moment.
 *
 * @param moment milliseconds since 1970, as `Date#valueOf` gives them
 */
export function isoDate(moment: number): string {
  const day = Math.floor(moment / DAY);
  const rest = moment - day * DAY;
  if (!(day >= FIRST_DAY && day <= LAST_DAY) || !Number.isInteger(moment)) return unusual(moment);
  const minute = (rest / MINUTE) | 0;
  const below = rest - minute * MINUTE;
  const second = (below / 1000) | 0;
  return dayText(day) + minutes[minute] + (seconds[second] + milliseconds[below - second * 1000]);
}

function dayText(day: number): string {
  const place = day & (KEPT_DAYS - 1);
  if (keptDays[place] !== day) {
    keptTexts[place] = `"${new Date(day * DAY).toISOString().slice(0, 11)}`;
    keptDays[place] = day;
  }
  return keptTexts[place];
}

function unusual(moment: number): string {
  return JSON.stringify(new Date(moment));
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
