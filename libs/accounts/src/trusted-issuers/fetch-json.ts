/** A document of an issuer is some KiB. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

/** A document that could not be read, and why; for the log. */
export class IssuerFetchError extends Error {
  override readonly name = 'IssuerFetchError';
}

/**
 * Reads a JSON document. Redirects are not followed: the address is one that an operator chose, or that a document there names.
 *
 * @returns `undefined` for 404
 * @throws IssuerFetchError after 5 s, for another status, for more than 256 KiB and for what is no JSON object
 */
export async function fetchJson(
  url: string,
  init: RequestInit = {},
  timeoutMs = TIMEOUT_MS,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      if (response.status === 404) return undefined;
      throw new IssuerFetchError(`status ${response.status}`);
    }
    return objectIn(await bodyOf(response));
  } catch (error) {
    throw new IssuerFetchError(`${url}: ${reasonOf(error)}`, { cause: error });
  }
}

async function bodyOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) throw new IssuerFetchError(`more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new IssuerFetchError('not a JSON object');
  return value as Record<string, unknown>;
}

/** `fetch failed` has the reason as its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
