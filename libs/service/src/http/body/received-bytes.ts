import { readJson } from './read-json';

const received = new WeakMap<object, Buffer>();

/** The part of a request that holds its headers. */
interface Headed {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Reads a body like {@link readJson}. Keeps its bytes if an `Idempotency-Key` requires comparing them with retries. */
export function readBody(request: Headed, bytes: Buffer): unknown {
  if (request.headers['idempotency-key'] !== undefined) received.set(request, bytes);
  return readJson(bytes);
}

/** Returns a JSON body's bytes as they arrived, before pipes changed the value; `undefined` without {@link readBody}. */
export function receivedBytes(request: Headed): Buffer | undefined {
  return received.get(request);
}
