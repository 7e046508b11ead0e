import { z } from 'zod';
import { readDuration } from './duration';
import { readRate } from './rate';

/** The least and the greatest value, as written in the environment. */
export interface Bounds<Value> {
  readonly from: Value;
  readonly to: Value;
}

/** A schema for the text of an environment variable. */
export type Setting<Value> = z.ZodType<Value, string>;

/**
 * Creates a setting that a function reads.
 *
 * @param read returns `undefined` for an invalid text
 * @param problem the valid values, as the rest of a sentence that starts with the variable name: `must be …`
 */
export function setting<Value>(
  read: (text: string) => Value | undefined,
  problem: string | ((text: string) => string),
) {
  return z.string().transform((text, context): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: typeof problem === 'string' ? problem : problem(text) });
    return z.NEVER;
  });
}

/** A duration such as `500ms`, in milliseconds. */
export function milliseconds({ from, to }: Bounds<string>) {
  const read = (text: string) => durationWithin(text, { from, to });
  return setting(read, durationProblem({ from, to }, read));
}

/** A duration such as `60s` or `15m`, in seconds. */
export function seconds({ from, to }: Bounds<string>) {
  const read = (text: string) => {
    const ms = durationWithin(text, { from, to });
    return ms === undefined || ms % 1000 !== 0 ? undefined : ms / 1000;
  };
  return setting(read, durationProblem({ from, to }, read));
}

/** A number of events in a period, such as `5/1h`. */
export function rate() {
  return setting(readRate, 'must be a number in a period of up to a day, such as 600/1m');
}

/** A whole number. */
export function count({ from, to }: Bounds<number>) {
  const read = (text: string) => within(/^\d{1,9}$/.test(text) ? Number(text) : undefined, { from, to });
  return setting(read, `must be a whole number from ${from} to ${to}`);
}

/** Creates a setting with the values `on` and `off`. */
export function onOrOff() {
  return z.enum(['on', 'off'], { error: 'must be on or off' });
}

/**
 * Adds the value `off` to a setting, which disables the limit or feature that it names.
 *
 * @returns a schema with the value `false` for `off`
 */
export function orOff<Value>(schema: Setting<Value>) {
  return z.string().transform((text, context): Value | false => {
    if (text === 'off') return false;
    const { data, error } = schema.safeParse(text);
    for (const { message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', message: message.replace(/^must be /, 'must be off, or ') });
    return data ?? z.NEVER;
  });
}

function durationWithin(text: string, { from, to }: Bounds<string>): number | undefined {
  return within(readDuration(text), { from: readDuration(from) ?? NaN, to: readDuration(to) ?? NaN });
}

/** Returns the problem with a duration. For a number without a unit, it lists the valid durations. */
function durationProblem(
  { from, to }: Bounds<string>,
  read: (text: string) => number | undefined,
): (text: string) => string {
  return (text) => {
    const valid = ['ms', 's', 'm', 'h', 'd']
      .map((unit) => text + unit)
      .filter((hint) => read(hint) !== undefined);
    return valid.length > 0
      ? `must be a duration with its unit, from ${from} to ${to}: ${valid.join(' or ')}`
      : `must be a duration such as ${from}, from ${from} to ${to}`;
  };
}

function within(value: number | undefined, { from, to }: Bounds<number>): number | undefined {
  return value !== undefined && value >= from && value <= to ? value : undefined;
}
