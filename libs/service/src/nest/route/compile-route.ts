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

  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    filter.answerError(error, request, reply);

  const answer = (body: unknown, request: FastifyRequest, reply: FastifyReply): unknown =>
    isSentAtOnce(body) ? sender.send(reply, body) : sender.stream(body, reply, request);

  const call = (args: unknown[], request: FastifyRequest, reply: FastifyReply): unknown => {
    const body: unknown = handler.apply(instance, args);
    return isThenable(body)
      ? Promise.resolve(body).then((value) => answer(value, request, reply))
      : answer(body, request, reply);
  };

  const enter = (request: FastifyRequest, reply: FastifyReply): unknown => {
    reply.code(status);
    const args = readArguments(request, reply);
    return Array.isArray(args)
      ? call(args, request, reply)
      : args.then((values) => call(values, request, reply));
  };

  return (request, reply) => {
    try {
      const admitted = check?.(request);
      const done = isThenable(admitted) ? admitted.then(() => enter(request, reply)) : enter(request, reply);
      if (!isThenable(done)) return undefined;
      return done.then(
        () => undefined,
        (error: unknown) => refuse(error, request, reply),
      );
    } catch (error) {
      return refuse(error, request, reply);
    }
  };
}

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
