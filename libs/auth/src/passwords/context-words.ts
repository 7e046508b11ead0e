/** The minimum word length. Many good passwords contain shorter words. */
const MIN_WORD_CHARACTERS = 3;
/** The minimum number of characters that a password has besides context words. */
const MIN_OTHER_CHARACTERS = 6;

/**
 * Returns whether a password is little more than words from its context, such as the account's e-mail, a part of it, or the
 * product name. Case is ignored. `ada.lovelace@example.com` may not have `AdaLovelace2024`.
 *
 * @param context texts such as an e-mail and a host name; any character except a letter or digit separates words
 * @see NIST SP 800-63B §3.1.1.2 (context-specific words)
 */
export function isOfContext(password: string, context: readonly string[]): boolean {
  const text = password.toLowerCase();
  let others = text;
  for (const word of wordsOf(context)) others = others.replaceAll(word, '');
  return others !== text && others.replaceAll(/[^\p{L}\p{N}]/gu, '').length < MIN_OTHER_CHARACTERS;
}

/** Returns the words, longest first, because a long word may contain a shorter word. */
function wordsOf(context: readonly string[]): string[] {
  const texts = context.map((text) => text.toLowerCase());
  const words = texts.concat(
    texts.flatMap((text) => text.split('@')),
    texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)),
  );
  return [...new Set(words)]
    .filter((word) => word.length >= MIN_WORD_CHARACTERS)
    .toSorted((left, right) => right.length - left.length);
}
