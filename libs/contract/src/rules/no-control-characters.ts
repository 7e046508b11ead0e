import { ownRule, withMeaning } from '@app/engine';
import type { ValidationOptions } from 'class-validator';

/**
 * Matches C0, DEL and C1; the marks, embeddings, overrides and isolates in bidirectional text; the line and paragraph
 * separators.
 */
const ALLOWED = new RegExp(
  String.raw`^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$`,
  'u',
);

/**
 * Rejects characters that change the display of the surrounding text in a terminal, a log or a list: control characters, and
 * characters that set the text direction. Only strings are checked, so use it together with a rule that requires a string.
 *
 * class-validator's `IsEmail` accepts control characters in quotes, and direction characters anywhere before the `@`.
 */
export function NoControlCharacters(options?: ValidationOptions): PropertyDecorator {
  const declare = ownRule(
    {
      name: 'noControlCharacters',
      test: (value) => typeof value !== 'string' || ALLOWED.test(value),
      message: (eachPrefix) => `${eachPrefix}$property must not contain control characters`,
    },
    options,
  );
  return withMeaning(declare, { keywords: { pattern: ALLOWED.source } });
}
