/** Shorter ones are in many good passwords. */
const MIN_WORD_CHARACTERS = 3;
/** What a password must have besides words of its context. */
const MIN_OTHER_CHARACTERS = 6;

/**
 * Whether a password is hardly more than words of its context, in any case: the e-mail of the account, a part of it, the name of the
 * product. `ada.lovelace@example.com` may not have `AdaLovelace2024`.
 *
 * @param context texts such as an e-mail and a host name; their words are those between other characters
 * @see NIST SP 800-63B §3.1.1.2 (context-specific words)
 */
export function isOfContext(password: string, context: readonly string[]): boolean {
  const text = password.toLowerCase();
  let others = text;
  for (const word of wordsOf(context)) others = others.replaceAll(word, '');
  return others !== text && others.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_OTHER_CHARACTERS;
}

/** The longest first: a word may be a part of another. */
function wordsOf(context: readonly string[]): string[] {
  const texts = context.map((text) => text.toLowerCase());
  const words = texts.concat(
    texts.flatMap((text) => text.split('@')),
    texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)),
  );
  return [...new Set(words)]
    .filter((word) => word.length >= MIN_WORD_CHARACTERS)
    .toSorted((one, other) => other.length - one.length);
}
