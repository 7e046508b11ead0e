import pluralize from 'pluralize';

/**
 * The plural of a name in English: `parking-ticket` → `parking-tickets`, `person` → `people`.
 *
 * @returns `undefined` if the word has none of its own, such as `equipment`
 */
export function pluralOf(kebab: string): string | undefined {
  const at = kebab.lastIndexOf('-') + 1;
  const word = kebab.slice(at);
  const plural = pluralize.plural(word);
  return plural === word ? undefined : kebab.slice(0, at) + plural;
}

/**
 * The singular of a name, if it is a plural.
 *
 * @returns `undefined` for a singular
 */
export function singularOf(kebab: string): string | undefined {
  const at = kebab.lastIndexOf('-') + 1;
  const singular = pluralize.singular(kebab.slice(at));
  return singular === kebab.slice(at) ? undefined : kebab.slice(0, at) + singular;
}

/** A noun with its article, by how its first sound is commonly written: `a task`, `an invoice`, `a user`, `an hour`. */
export function withArticle(noun: string): string {
  const isVowel = /^(?:[aio]|e(?!u)|u(?!ni(?!n|m)|s[aeu]|t[ei]|r[aei])|hour|honor|honest|heir)/i.test(noun);
  return `${isVowel && !/^on(?:ce|e)\b/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
