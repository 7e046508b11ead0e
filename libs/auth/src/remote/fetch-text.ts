/** The size limit for a response. Remote documents usually have some tens of KiB. */
const MAX_BYTES = 256 * 1024;

/** A document that could not be read, and why; for the log. */
export class FetchFailedError extends Error {
  override readonly name = 'FetchFailedError';
}

/** Options of {@link fetchText}. */
export interface FetchTextOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * Reads a document by GET. Redirects are not followed, because the address comes from an operator or from a document at such an
 * address.
 *
 * @returns `undefined` for 404
 * @throws FetchFailedError for further error statuses, for more than 256 KiB, and on a timeout
 */
export async function fetchText(url: string, options: FetchTextOptions): Promise<string | undefined> {
  const { headers, timeoutMs } = options;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { headers, redirect: 'error', signal });
    if (response.status === 200) return await bodyOf(response);
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new FetchFailedError(`status ${response.status}`);
  } catch (error) {
    throw new FetchFailedError(`${url}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Sends a request to a remote service and reads its response at once. Redirects are not followed.
 *
 * @throws FetchFailedError if the request fails, for more than 256 KiB, and if the service is unavailable (429 and 5xx)
 */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error' });
    const { status, headers } = response;
    if (status === 429 || status >= 500) {
      await response.body?.cancel();
      throw new FetchFailedError(`status ${status}`);
    }
    const body = await bodyOf(response);
    return new Response(body === '' ? null : body, { status, headers });
  } catch (error) {
    throw new FetchFailedError(`${url}: ${reasonOf(error)}`, { cause: error });
  }
}

async function bodyOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) throw new FetchFailedError(`more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Returns an error's reason. `fetch failed` has its reason as the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
