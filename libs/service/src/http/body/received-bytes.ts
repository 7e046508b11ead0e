import { readJson } from './read-json';

const received = new WeakMap<object, Buffer>();

/** The part of a request that names it. */
interface Headed {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Reads a body as {@link readJson} does. Keeps the bytes of a request with `Idempotency-Key`, which is compared by them with its retries. */
export function readBody(request: Headed, bytes: Buffer): unknown {
  if (request.headers['idempotency-key'] !== undefined) received.set(request, bytes);
  return readJson(bytes);
}

/** Returns the bytes of a JSON body as they arrived, before a pipe changed its value; `undefined` without {@link readBody}. */
export function receivedBytes(request: Headed): Buffer | undefined {
  return received.get(request);
}
