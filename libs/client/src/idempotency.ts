import type { Middleware } from 'openapi-fetch';
import { idempotentRoutes } from './routes';
import { type Problem, problemIn } from './problems';
import type { Send } from './session';

const header = 'idempotency-key';
const routes = new Set(idempotentRoutes);
/** The most repeats while the first attempt is in progress. */
const maxRepeats = 30;

/** Adds a new `Idempotency-Key` if the route accepts the header and the request lacks it. */
export const withIdempotencyKey: Middleware = {
  onRequest: ({ request, schemaPath }) => {
    const accepts = routes.has(`${request.method} ${schemaPath}`);
    if (accepts && !request.headers.has(header)) request.headers.set(header, randomKey());
  },
};

/** Returns 128 random bits as hexadecimal digits. Pages served over plain HTTP have no `crypto.randomUUID`. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Repeats a request with an `Idempotency-Key` once if no response arrives, unless it was aborted. While `api` still works on the
 * first attempt, the request is repeated after each `Retry-After`.
 */
export function repeating(send: Send): Send {
  return async (request) => {
    if (!request.headers.has(header)) return send(request);
    const attempt = (): Promise<Response> => send(request.clone());
    const attemptTwice = (): Promise<Response> =>
      attempt().catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        return attempt();
      });
    let response = await attemptTwice();
    for (let left = maxRepeats; left > 0 && (await isInProgress(response)); left -= 1) {
      await response.body?.cancel();
      await pause(Number(response.headers.get('retry-after')) || 1, request.signal);
      response = await attemptTwice();
    }
    return response;
  };
}

async function isInProgress(response: Response): Promise<boolean> {
  const text = response.status === 409 ? problemIn(response, await response.clone().text()) : undefined;
  const { code }: Partial<Problem> = JSON.parse(text ?? '{}');
  return code === 'idempotency-key-in-progress';
}

/** @throws the reason of the signal as soon as it is aborted */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timeout);
      reject(signal.reason);
    });
  });
}
