import type { IncomingHttpHeaders } from 'node:http';

/** The parts of Fastify's request that the guard reads, and the field it writes. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly ip: string;
  /** The authenticated caller. */
  user?: unknown;
}

/** What is read of Nest's `ArgumentsHost`. */
interface Arguments {
  getType(): string;
  getArgByIndex(index: 0): GuardedRequest;
  getArgByIndex(index: 2): { req?: GuardedRequest } | undefined;
}

/** Whether a handler is called for a message of a connection that was authorized when it was opened. */
export function isMessage(context: Arguments): boolean {
  return context.getType() === 'ws';
}

/**
 * The request that a handler is called for: the first argument of a route. A message has the client of its connection there, and
 * Nest's drivers of GraphQL put the request into the context of a field.
 *
 * @returns `undefined` if the context of a field has none, such as that of a subscription, and for a message of a microservice: its first
 *   argument is data of the sender, which proves nothing
 */
export function requestOf(context: Arguments): GuardedRequest | undefined {
  const type = context.getType();
  if (type === 'graphql') return context.getArgByIndex(2)?.req;
  return type === 'http' || type === 'ws' ? context.getArgByIndex(0) : undefined;
}
