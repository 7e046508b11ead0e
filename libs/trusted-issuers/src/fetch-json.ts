import { FetchFailedError, fetchText } from '@app/auth';

const TIMEOUT_MS = 5_000;

/**
 * Reads a JSON document.
 *
 * @returns `undefined` for 404
 * @throws FetchFailedError as {@link fetchText} does, and if the document is not a JSON object
 */
export async function fetchJson(
  url: string,
  timeoutMs = TIMEOUT_MS,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await fetchText(url, { headers: { accept: 'application/json' }, timeoutMs });
  return text === undefined ? undefined : objectIn(text, url);
}

function objectIn(text: string, url: string): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (!isJsonObject(value)) throw new FetchFailedError(`${url}: not a JSON object`);
  return value;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
