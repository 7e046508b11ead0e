import { transformMeaning } from '../shapes/wire/meaning';
import { Transform } from 'class-transformer';

/** The number of characters that are shown at both ends. */
const SHOWN = 2;

/**
 * Hides the middle of a secret: its first two characters, `***`, its last two. Strings of four characters or fewer,
 * and values that are not strings, are `***`. A surrogate pair counts as one character. `null` and `undefined` stay
 * unchanged.
 */
export function mask(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string') return '***';
  const start = afterFirst(value);
  const end = beforeLast(value);
  return start < end ? `${value.slice(0, start)}***${value.slice(end)}` : '***';
}

/** The index after the first {@link SHOWN} characters of a text. */
function afterFirst(text: string): number {
  let at = 0;
  for (let count = 0; count < SHOWN; count++) at += isPair(text, at) ? 2 : 1;
  return at;
}

/** The index of the first of the last {@link SHOWN} characters of a text; below 0 if it has fewer. */
function beforeLast(text: string): number {
  let at = text.length;
  for (let count = 0; count < SHOWN; count++) at -= isPair(text, at - 2) ? 2 : 1;
  return at;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Sends a property masked (see {@link mask}); inside the service it is unchanged. */
export function Masked(): PropertyDecorator {
  return Transform(maskValue, { toPlainOnly: true });
}

const maskValue = transformMeaning(({ value }: { readonly value: unknown }) => mask(value), {
  type: 'string',
  pattern: String.raw`^(?:.{2}\*{3}.{2}|\*{3})$`,
});
