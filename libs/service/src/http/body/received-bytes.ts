import { readJson } from './read-json';

const received = new WeakMap<object, Buffer>();

/** The part of a request that holds its headers. */
interface Headed {
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Verifies the bytes of a request before it parses them. */
interface Verifier {
  read(request: Headed, bytes: Buffer, parse: (bytes: Buffer) => unknown): unknown;
}

/** A request with its route. */
interface Routed extends Headed {
  readonly routeOptions: { readonly config: { readonly signature?: Verifier } };
}

/**
 * Reads a body like {@link readJson}, on a route with `@SignedBy()` after its signature was verified. Keeps its bytes if an
 * `Idempotency-Key` requires comparing them with retries.
 */
export function readBody(request: Routed, bytes: Buffer): unknown {
  const { signature } = request.routeOptions.config;
  if (signature !== undefined) return signature.read(request, bytes, readJson);
  if (request.headers['idempotency-key'] !== undefined) received.set(request, bytes);
  return readJson(bytes);
}

/** Returns a JSON body's bytes as they arrived, before pipes changed the value; `undefined` without {@link readBody}. */
export function receivedBytes(request: Headed): Buffer | undefined {
  return received.get(request);
}
