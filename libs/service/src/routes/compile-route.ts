import { isThenable, Rejected } from '@app/engine';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadArguments } from './route-arguments';
import { transactionOf, transactionPositions } from './request-transaction';

/** Handles a request and sends its response. */
export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** The functions that send responses. */
export interface Sender {
  /** Sends the result of a handler by Nest's own function, unless it is a stream. */
  send(reply: FastifyReply, body: unknown): void;
  /** Sends a result that Nest streams: an observable, a stream or a `Response` object. */
  stream(body: unknown, reply: FastifyReply, request: FastifyRequest): Promise<unknown>;
}

/** Calls a handler, or responds in its place. */
export type Interceptor = (request: FastifyRequest, reply: FastifyReply, call: () => unknown) => unknown;

/** A header field with its value, or with the function that makes a value for each response. */
interface DeclaredHeader {
  readonly name: string;
  readonly value: string | (() => string);
}

/** A route's parts. */
export interface RouteParts {
  readonly instance: object;
  readonly handler: Function;
  /** The status of a success. */
  readonly status: number;
  /** The `@Header()` declarations, the last declaration first. */
  readonly headers: readonly DeclaredHeader[];
  /** Authenticates and authorizes the caller; throws or rejects if that fails. */
  readonly authorize: ((request: FastifyRequest) => unknown) | undefined;
  /** Counts the request, and throws if the caller is over its limit. */
  readonly admit: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined;
  readonly readArguments: ReadArguments;
  readonly interceptor: Interceptor | undefined;
  readonly sendError: Step<unknown>;
  readonly sender: Sender;
}

/**
 * Compiles a route to a single function: guard, rate limit, pipe, handler and filter in Nest's order. The function needs no
 * look-ups, and uses promises only for asynchronous steps.
 */
export function compileRoute({
  instance,
  handler,
  status,
  headers,
  authorize,
  admit,
  readArguments,
  interceptor,
  sendError,
  sender,
}: RouteParts): RouteHandler {
  const send: Step<unknown> = (body, request, reply) => {
    if (isBuffered(body)) return sender.send(reply, body);
    return sender
      .stream(body, reply, request)
      .then(nothing, (error: unknown) => sendError(error, request, reply));
  };

  const transactionAt = transactionPositions.get(handler);
  const callIn = (args: unknown[], request: FastifyRequest): unknown => {
    if (transactionAt !== undefined) args[transactionAt] = transactionOf(request);
    return handler.apply(instance, args);
  };

  const callDirectly: Step<unknown[]> = (args, request, reply) =>
    next(handler.apply(instance, args), send, sendError, request, reply);

  const call: Step<unknown[]> =
    interceptor === undefined
      ? callDirectly
      : (args, request, reply) =>
          next(
            interceptor(request, reply, () => callIn(args, request)),
            send,
            sendError,
            request,
            reply,
          );

  const read: Step<unknown> = (_authorized, request, reply) => {
    if (admit !== undefined) admit(request, reply);
    reply.code(status);
    for (const { name, value } of headers)
      void reply.header(name, typeof value === 'function' ? value() : value);
    const args = readArguments(request, reply);
    return args instanceof Rejected
      ? sendError(args.error, request, reply)
      : next(args, call, sendError, request, reply);
  };

  return (request, reply) => {
    try {
      return next(authorize?.(request), read, sendError, request, reply);
    } catch (error) {
      return sendError(error, request, reply);
    }
  };
}

/** A step in handling a request. It receives the result of the step before. */
export type Step<Given> = (input: Given, request: FastifyRequest, reply: FastifyReply) => unknown;

/** Runs the next step, synchronously unless the result of the step before is a promise. */
function next<Given>(
  input: Given | PromiseLike<Given>,
  step: Step<Given>,
  sendError: Step<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  return isThenable(input) ? nextAsync(input, step, sendError, request, reply) : step(input, request, reply);
}

async function nextAsync<Given>(
  input: PromiseLike<Given>,
  step: Step<Given>,
  sendError: Step<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    return step(await input, request, reply);
  } catch (error) {
    return sendError(error, request, reply);
  }
}

function nothing(): void {}

/** Returns whether Nest would send a body at once instead of streaming it. */
function isBuffered(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return typeof body !== 'function';
  const {
    subscribe,
    getStream,
    [Symbol.asyncIterator]: iterate,
    [Symbol.toStringTag]: tag,
  } = body as StreamLike;
  return subscribe === undefined && getStream === undefined && iterate === undefined && tag === undefined;
}

interface StreamLike {
  readonly subscribe?: unknown;
  /** The member of a `StreamableFile`. */
  readonly getStream?: unknown;
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
}
