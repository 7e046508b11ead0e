import { ForbiddenKeyError, LoneSurrogateError } from './errors';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** An escape may spell half a surrogate pair or a forbidden name; without one, only the name itself does. */
const suspicious = /\\u|__proto__|constructor|prototype/;

/** Whether a JSON text in valid UTF-8 may hold what {@link refuseHarmful} refuses. Few honest bodies do. */
export function maybeHarmful(json: string): boolean {
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
export function refuseHarmful(value: unknown, path: string[] = []): void {
  if (typeof value === 'string') refuseIllFormed(value);
  else if (Array.isArray(value)) refuseWithin(value.entries(), path);
  else if (typeof value === 'object' && value !== null) refuseWithin(Object.entries(value), path);
}

function refuseWithin(entries: Iterable<[string | number, unknown]>, path: string[]): void {
  for (const [name, value] of entries) {
    const key = String(name);
    path.push(key);
    if (isForbiddenKey(key)) throw new ForbiddenKeyError(path);
    refuseIllFormed(key);
    refuseHarmful(value, path);
    path.pop();
  }
}

function refuseIllFormed(text: string): void {
  if (!text.isWellFormed()) throw new LoneSurrogateError();
}
