import { transformMeaning } from '@app/shapes';
import { Transform } from 'class-transformer';

/** Characters of which so many are shown at either end. */
const SHOWN = 2;

/**
 * Hides the middle of a secret: its first two characters, `***`, its last two.
 *
 * A text of four characters or fewer, or anything that is no text, is `***` alone: its two ends would be all of it.
 * A surrogate pair counts as one character. `null` and `undefined` stay what they are.
 */
export function mask(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string') return '***';
  const start = afterFirst(value);
  const end = beforeLast(value);
  return start < end ? `${value.slice(0, start)}***${value.slice(end)}` : '***';
}

/** The index behind the first {@link SHOWN} characters of a text. */
function afterFirst(text: string): number {
  let at = 0;
  for (let count = 0; count < SHOWN; count++) at += isPair(text, at) ? 2 : 1;
  return at;
}

/** The index of the first of the last {@link SHOWN} characters of a text; below 0 when it has fewer. */
function beforeLast(text: string): number {
  let at = text.length;
  for (let count = 0; count < SHOWN; count++) at -= isPair(text, at - 2) ? 2 : 1;
  return at;
}

function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Sends a property masked (see {@link mask}); inside the service it stays whole. */
export function Masked(): PropertyDecorator {
  return Transform(maskValue, { toPlainOnly: true });
}

const maskValue = transformMeaning(({ value }: { readonly value: unknown }) => mask(value), {
  type: 'string',
  pattern: String.raw`^(?:.{2}\*{3}.{2}|\*{3})$`,
});
