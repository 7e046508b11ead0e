import { ForbiddenKeyError, LoneSurrogateError } from '../errors';

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** The texts to check. Escapes may encode an unpaired surrogate or a forbidden key, which is otherwise literal. */
const suspicious = /\\u|__proto__|constructor|prototype/;

/** Returns whether a JSON text in valid UTF-8 may hold values that {@link checkJsonValue} rejects. Few legitimate bodies do. */
export function maybeUnsafe(json: string): boolean {
  return suspicious.test(json);
}

/** Returns whether a key could cause prototype pollution. */
export function isForbiddenKey(key: string): boolean {
  return forbiddenKeys.has(key);
}

/**
 * Checks the value that `JSON.parse` returned for a body with limited depth.
 *
 * @throws ForbiddenKeyError for a key that could cause prototype pollution
 * @throws LoneSurrogateError for a string or a key that is not well-formed Unicode
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
