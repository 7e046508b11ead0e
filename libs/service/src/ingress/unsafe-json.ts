import { ForbiddenKeyError, LoneSurrogateError } from './errors';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** An escape may spell half a surrogate pair or a forbidden name; without one, only the name itself does. */
const suspicious = /\\u|__proto__|constructor|prototype/;

/** Whether a JSON text in valid UTF-8 may hold what {@link checkJsonValue} refuses. Few honest bodies do. */
export function maybeUnsafe(json: string): boolean {
  return suspicious.test(json);
}

/** Whether a name reaches for the prototype of our objects. */
export function isForbiddenKey(key: string): boolean {
  return forbiddenKeys.has(key);
}

/**
 * Looks through what `JSON.parse` made of a body whose depth is known to be small.
 *
 * @throws ForbiddenKeyError for a name that reaches for a prototype, LoneSurrogateError for a text or a name that
 *   is no well-formed Unicode
 */
export function checkJsonValue(value: unknown, path: string[] = []): void {
  if (typeof value === 'string') checkWellFormed(value);
  else if (Array.isArray(value)) checkEntries(value.entries(), path);
  else if (typeof value === 'object' && value !== null) checkEntries(Object.entries(value), path);
}

function checkEntries(entries: Iterable<[string | number, unknown]>, path: string[]): void {
  for (const [name, value] of entries) {
    const key = String(name);
    path.push(key);
    if (isForbiddenKey(key)) throw new ForbiddenKeyError(path);
    checkWellFormed(key);
    checkJsonValue(value, path);
    path.pop();
  }
}

function checkWellFormed(text: string): void {
  if (!text.isWellFormed()) throw new LoneSurrogateError();
}
