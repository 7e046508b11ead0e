import pluralize from 'pluralize';

/**
 * Returns the English plural of a name: `parking-ticket` → `parking-tickets`, `person` → `people`.
 *
 * @returns `undefined` if the word has no separate plural, such as `equipment`
 */
export function pluralOf(kebab: string): string | undefined {
  const at = kebab.lastIndexOf('-') + 1;
  const word = kebab.slice(at);
  const plural = pluralize.plural(word);
  return plural === word ? undefined : kebab.slice(0, at) + plural;
}

/**
 * Returns the singular of a plural name.
 *
 * @returns `undefined` if the name is a singular
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
