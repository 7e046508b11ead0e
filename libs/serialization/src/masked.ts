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
  const characters = typeof value === 'string' ? Array.from(value) : [];
  if (characters.length <= 2 * SHOWN) return '***';
  return `${characters.slice(0, SHOWN).join('')}***${characters.slice(-SHOWN).join('')}`;
}

/** Sends a property masked (see {@link mask}); inside the service it stays whole. */
export function Masked(): PropertyDecorator {
  return Transform(maskValue, { toPlainOnly: true });
}

const maskValue = transformMeaning(({ value }: { readonly value: unknown }) => mask(value), {
  type: 'string',
  pattern: String.raw`^(?:.{2}\*{3}.{2}|\*{3})$`,
});
