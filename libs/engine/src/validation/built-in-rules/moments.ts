import type { JsonSchema } from '../../shapes/wire/meaning';
import { isISO8601 } from 'class-validator';
import type { ByName, Predicate, RuleFacts, RuleTest } from './rule';

export const momentTests: ByName<RuleTest> = {
  IsISO8601: { test: isMoment },
  IsDateString: { test: isMoment },
};

/** Validates usual forms by their characters, and all other forms by the library, which throws if the options are `null`. */
function isMoment([options]: readonly unknown[]): Predicate | undefined {
  if (options === null) return undefined;
  return (value) =>
    typeof value === 'string' && (isUsualMoment(value) || isISO8601(value, options as undefined));
}

const USUAL_TIME =
  /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?Z$/;
const USUAL_DAY = /^[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])$/;

/**
 * Whether a text is a usual date or time, such as `2024-02-28` or `2024-02-28T12:30:15.123Z`. It is valid under every option,
 * since every month has 28 days. The strict option does not read back years before 1000.
 */
function isUsualMoment(text: string): boolean {
  return text.length === 10 ? USUAL_DAY.test(text) : text.length >= 20 && USUAL_TIME.test(text);
}

const keywords = (): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description: 'Other forms of ISO 8601 are accepted too.',
});

export const momentFacts: ByName<RuleFacts> = {
  IsISO8601: { key: 'isIso8601', takes: 'text', keywords },
  IsDateString: { takes: 'text', keywords },
  IsRFC3339: { takes: 'text', keywords: () => ({ type: 'string', format: 'date-time' }) },
  MinDate: { arguments: ['date'] },
  MaxDate: { arguments: ['date'] },
};
