import type { FieldType } from './field-type.mts';

/** A default for the column, and for a body that lacks the field. */
export type Initial = string | number | boolean;

/** Parsers for a default, by field type. Other types have no default. */
const READERS: Readonly<Partial<Record<FieldType, (text: string) => Initial | undefined>>> = {
  text: (text) => (text.length > 0 && text.length <= 200 && !/[\n\\']/.test(text) ? text : undefined),
  integer: (text) => (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
  date: (text) => (isDay(text) ? text : undefined),
  decimal: (text) => (/^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? text : undefined),
};

/**
 * Reads a field's default, such as `priority:integer=0`.
 *
 * @throws Error for a value that the field cannot have
 */
export function readInitial(type: FieldType, text: string, choices: readonly string[]): Initial {
  if (type === 'one-of' && choices.includes(text)) return text;
  const initial = READERS[type]?.(text);
  if (initial !== undefined) return initial;
  throw new Error(
    type === 'timestamp' || type === 'ref'
      ? `a ${type} cannot have a default: make it optional, by ? after its type`
      : `=${text} is not a default of ${type}`,
  );
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
