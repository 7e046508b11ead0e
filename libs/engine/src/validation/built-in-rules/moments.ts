import type { JsonSchema } from '../../shapes/wire/meaning';
import { isISO8601 } from 'class-validator';
import { type Predicate, rule } from './rule';

const keywords = (): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description: 'Other forms of ISO 8601 are accepted too.',
});

export const momentRules = [
  rule({ name: 'IsISO8601', key: 'isIso8601', takes: 'text', keywords, test: isMoment }),
  rule({ name: 'IsDateString', takes: 'text', keywords, test: isMoment }),
  rule({ name: 'IsRFC3339', takes: 'text', keywords: () => ({ type: 'string', format: 'date-time' }) }),
  rule({ name: 'MinDate', arguments: ['date'] }),
  rule({ name: 'MaxDate', arguments: ['date'] }),
];

/** Usual forms are validated by their characters; all others by the library, which throws if the options are `null`. */
function isMoment([options]: readonly unknown[]): Predicate | undefined {
  if (options === null) return undefined;
  return (value) =>
    typeof value === 'string' && (isUsualMoment(value) || isISO8601(value, options as undefined));
}

const USUAL_TIME =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/;
const USUAL_DAY = /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$/;

/** `2024-02-28` and `2024-02-28T12:30:15.123Z`: valid under every option, as every month has 28 days. Years before 1000
 * are not read back by the strict option. */
function isUsualMoment(text: string): boolean {
  return text.length === 10 ? USUAL_DAY.test(text) : text.length >= 20 && USUAL_TIME.test(text);
}
