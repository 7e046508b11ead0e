/// <reference types="./fastify-internals" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isThenable } from '@app/engine';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import symbols from 'fastify/lib/symbols.js';
import wrapThenable from 'fastify/lib/wrap-thenable.js';
import { readBody } from '../http/body/received-bytes';
import { makeRequestId } from '../logs/request-log';
import { fixedHeaders } from '../responses/fixed-headers';
import { type Reply, type ReplyClass, requestId } from './direct-reply';

type Done = (error?: Error) => void;

/** Hooks which call `done` before they return. */
export type RequestHook = (request: FastifyRequest, reply: Reply, done: Done) => void;
type ResponseHook = (request: FastifyRequest, reply: Reply, done: Done) => void;
type AbortHook = (request: FastifyRequest, done: Done) => void;

/** A route whose requests are handled without Fastify's lifecycle. */
export interface DirectRoute {
  /** What Fastify keeps of the route. */
  readonly state: object;
  readonly handler: (request: FastifyRequest, reply: Reply) => unknown;
  readonly Request: new (
    id: string,
    params: object,
    raw: IncomingMessage,
    query: object,
    log: FastifyBaseLogger,
    state: object,
  ) => FastifyRequest;
  readonly Reply: ReplyClass;
  readonly log: FastifyBaseLogger;
  readonly maxBodyBytes: number;
  /** Called first. */
  readonly before: readonly RequestHook[];
  /** Called once the response has been sent. */
  readonly after: readonly ResponseHook[];
  /** Called if the client has closed the connection before. */
  readonly aborted: readonly AbortHook[];
}

/** A class of requests, as a route has it. */
type RequestClass = DirectRoute['Request'];

/** Makes the requests of a route: those of Fastify, which have the options of the route in common. */
export function directRequestOf(Base: RequestClass): RequestClass {
  let options: FastifyRequest['routeOptions'] | undefined;
  return class DirectRequest extends Base {
    override get routeOptions() {
      return (options ??= super.routeOptions);
    }
  };
}

/** What the router has read from the target of a request. */
export interface Found {
  readonly params: object;
  readonly searchParams: object;
}

/** A request that is being handled. */
class Exchange {
  /** Of the body, until it is complete. */
  body: Buffer | undefined;

  constructor(
    readonly route: DirectRoute,
    readonly request: FastifyRequest,
    readonly reply: Reply,
  ) {}
}

const exchange = Symbol('exchange');

interface DirectMessage extends IncomingMessage {
  originalUrl?: string;
  [exchange]?: Exchange;
}
interface DirectResponse extends ServerResponse {
  [exchange]?: Exchange;
}

/** Handles a request as Fastify does: with the same objects and hooks, and listeners that all requests share. */
export function handleDirectly(
  route: DirectRoute,
  raw: DirectMessage,
  response: DirectResponse,
  { params, searchParams }: Found,
): void {
  const id = makeRequestId();
  const request = new route.Request(id, params, raw, searchParams, route.log, route.state);
  const reply = new route.Reply(response, request, route.log);
  reply[symbols.kReplyStartTime] = performance.now();
  reply[requestId] = id;
  reply[symbols.kReplyHeaders] = { 'x-request-id': id, ...fixedHeaders };
  const handled = new Exchange(route, request, reply);
  response[exchange] = handled;
  response.on('finish', onFinish).on('error', onFinish);
  raw[exchange] = handled;
  // As Fastify does when it rewrites targets.
  raw.originalUrl = raw.url;
  raw.on('close', onClose);
  for (const hook of route.before) hook(request, reply, ignore);
  if (raw.headers['content-length'] === undefined) return call(handled);
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}

function onFinish(this: DirectResponse): void {
  const handled = this[exchange];
  if (handled === undefined || handled.reply[symbols.kReplyEndTime] !== undefined) return;
  const { route, request, reply } = handled;
  reply[symbols.kReplyEndTime] = performance.now();
  for (const hook of route.after) hook(request, reply, ignore);
}

function onClose(this: DirectMessage): void {
  const handled = this[exchange];
  if (handled === undefined || !this.aborted) return;
  for (const hook of handled.route.aborted) hook(handled.request, ignore);
}

function onData(this: DirectMessage, chunk: Buffer): void {
  const handled = this[exchange];
  if (handled) handled.body = handled.body === undefined ? chunk : Buffer.concat([handled.body, chunk]);
}

function onEnd(this: DirectMessage): void {
  const handled = this[exchange];
  if (handled === undefined) return;
  try {
    handled.request.body = readBody(handled.request, handled.body ?? Buffer.alloc(0));
  } catch (error) {
    return rejectBody(handled, error);
  }
  call(handled);
}

function onError(this: DirectMessage, error: Error): void {
  const handled = this[exchange];
  if (handled) rejectBody(handled, Object.assign(error, { statusCode: 400 }));
}

/** The client may send more, so the connection is closed. */
function rejectBody({ reply }: Exchange, error: unknown): void {
  void reply.header('connection', 'close');
  reply[symbols.kReplyIsError] = true;
  void reply.send(error);
}

function call({ route, request, reply }: Exchange): void {
  let result: unknown;
  try {
    result = route.handler(request, reply);
  } catch (error) {
    reply[symbols.kReplyIsError] = true;
    void reply.send(error);
    return;
  }
  if (result === undefined) return;
  if (isThenable(result)) wrapThenable(result, reply);
  else void reply.send(result);
}

function ignore(): void {}
