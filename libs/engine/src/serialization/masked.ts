import { transformMeaning } from '../shapes/wire/meaning';
import { Transform } from 'class-transformer';

/** The number of characters shown at each end. */
const SHOWN = 2;

/**
 * Masks a secret except for its first two and last two characters, with `***` in between. Strings with at most four characters,
 * and values that are not strings, become `***`. A surrogate pair counts as a single character. `null` and `undefined` stay
 * unchanged.
 */
export function mask(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string') return '***';
  const start = afterFirst(value);
  const end = beforeLast(value);
  return start < end ? `${value.slice(0, start)}***${value.slice(end)}` : '***';
}

/** Returns the index after the first {@link SHOWN} characters of a text. */
function afterFirst(text: string): number {
  let at = 0;
  for (let count = 0; count < SHOWN; count++) at += isPair(text, at) ? 2 : 1;
  return at;
}

/** Returns the index where the last {@link SHOWN} characters of a text begin; below 0 if the text is shorter. */
function beforeLast(text: string): number {
  let at = text.length;
  for (let count = 0; count < SHOWN; count++) at -= isPair(text, at - 2) ? 2 : 1;
  return at;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Masks a property when it is sent (see {@link mask}). Inside the service it stays unchanged. */
export function Masked(): PropertyDecorator {
  return Transform(maskValue, { toPlainOnly: true });
}

const maskValue = transformMeaning(({ value }: { readonly value: unknown }) => mask(value), {
  type: 'string',
  pattern: String.raw`^(?:.{2}\*{3}.{2}|\*{3})$`,
});
