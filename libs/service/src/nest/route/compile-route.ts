import { Rejected } from '@app/validation';
import { HTTP_CODE_METADATA } from '@nestjs/common/internal';
import { HttpStatus } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ControllerMethod } from './controller-methods';
import { argumentReader, isThenable } from './read-arguments';
import { asksForMore, type KnownParts } from './route-parts';

/** Answers a request. */
export type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** How answers are sent. */
export interface Sender {
  /** Sends what a handler returned; Nest's own, for everything that is written at once. */
  send(reply: FastifyReply, body: unknown): void;
  /** Sends what Nest sends piece by piece: observables, streams, responses of `fetch`. */
  stream(body: unknown, reply: FastifyReply, request: FastifyRequest): Promise<unknown>;
}

/**
 * Makes one function of a route: the guard, the pipe, the handler and the filter, as Nest would call them, with no
 * look-up and no promise where nothing waits.
 *
 * @param method as Nest registers it, such as `POST`
 * @returns `undefined` when not all of its parts are known to be ours
 */
export function compileRoute(
  method: string,
  { controller, instance, name }: ControllerMethod,
  { guard, pipe, filter }: KnownParts,
  sender: Sender,
): RouteHandler | undefined {
  const handler: unknown = Reflect.get(instance, name);
  if (typeof handler !== 'function' || asksForMore(handler, controller)) return undefined;
  const readArguments = argumentReader(controller, name, pipe);
  if (readArguments === undefined) return undefined;
  const check = guard?.checkOf(handler, controller);
  const status = statusOf(handler, method);

  const fail: Step<unknown> = (error, request, reply) => filter.sendError(error, request, reply);

  const answer: Step<unknown> = (body, request, reply) => {
    if (isSentAtOnce(body)) return sender.send(reply, body);
    return sender.stream(body, reply, request).then(nothing, (error: unknown) => fail(error, request, reply));
  };

  const call: Step<unknown[]> = (args, request, reply) =>
    goOn(handler.apply(instance, args), answer, fail, request, reply);

  const enter: Step<unknown> = (_authorized, request, reply) => {
    reply.code(status);
    const args = readArguments(request, reply);
    return args instanceof Rejected
      ? fail(args.error, request, reply)
      : goOn(args, call, fail, request, reply);
  };

  return (request, reply) => {
    try {
      return goOn(check?.(request), enter, fail, request, reply);
    } catch (error) {
      return fail(error, request, reply);
    }
  };
}

/** A step on the way of a request to its answer, which begins with what the step before it gave. */
type Step<Given> = (given: Given, request: FastifyRequest, reply: FastifyReply) => unknown;

/** Takes the next step at once where the one before it has not to be waited for, and refuses what that ends with. */
function goOn<Given>(
  given: Given | PromiseLike<Given>,
  next: Step<Given>,
  fail: Step<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): unknown {
  return isThenable(given) ? goOnLater(given, next, fail, request, reply) : next(given, request, reply);
}

async function goOnLater<Given>(
  given: PromiseLike<Given>,
  next: Step<Given>,
  fail: Step<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    return next(await given, request, reply);
  } catch (error) {
    return fail(error, request, reply);
  }
}

function nothing(): void {}

function statusOf(handler: object, method: string): number {
  const asked: number | undefined = Reflect.getMetadata(HTTP_CODE_METADATA, handler);
  return asked ?? (method === 'POST' ? HttpStatus.CREATED : HttpStatus.OK);
}

/** Whether a body is none of those that Nest knows how to send piece by piece. */
function isSentAtOnce(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return typeof body !== 'function';
  const { subscribe, [Symbol.asyncIterator]: iterate, [Symbol.toStringTag]: tag } = body as Piecemeal;
  return subscribe === undefined && iterate === undefined && tag === undefined;
}

interface Piecemeal {
  readonly subscribe?: unknown;
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
}
