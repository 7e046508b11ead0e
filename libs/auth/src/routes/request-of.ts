import type { IncomingHttpHeaders } from 'node:http';

/** The parts of Fastify's request that the guard reads, and the field it writes. */
export interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: { readonly rawHeaders: readonly string[] };
  readonly ip: string;
  /** The path parameters. */
  readonly params?: unknown;
  /** The authenticated caller. */
  user?: unknown;
}

/** The parts of Nest's `ArgumentsHost` that we read. */
interface Arguments {
  getType(): string;
  getArgByIndex(index: 0): GuardedRequest;
  getArgByIndex(index: 2): { req?: GuardedRequest } | undefined;
}

/** Returns whether a handler is called for a message on a connection that was authorized when it opened. */
export function isMessage(context: Arguments): boolean {
  return context.getType() === 'ws';
}

/**
 * Returns the request that a handler is called for. A route has it as its first argument, where a message has its connection's
 * client. Nest's GraphQL drivers put it into the field's context.
 *
 * @returns `undefined` if a GraphQL context has no request, as in a subscription, and for a microservice message, because its
 *   first argument is unproven data from the sender
 */
export function requestOf(context: Arguments): GuardedRequest | undefined {
  const type = context.getType();
  if (type === 'graphql') return context.getArgByIndex(2)?.req;
  return type === 'http' || type === 'ws' ? context.getArgByIndex(0) : undefined;
}
