import type { IncomingMessage, ServerResponse } from 'node:http';
import { isThenable } from '@app/engine';
import { makeRequestId } from '../logs/request-log';
import { checkHead } from '../http/inspect-request';
import { CompiledReply } from './compiled-reply';
import { CompiledRequest } from './compiled-request';
import type { CompiledRoute } from './compiled-route';
import { receiveBody } from './receive-body';

const replyOf = Symbol('reply');

interface Message extends IncomingMessage {
  [replyOf]?: CompiledReply;
}
interface Outgoing extends ServerResponse {
  [replyOf]?: CompiledReply;
}

/** The values that the router has read from a request's target. */
export interface Target {
  readonly params: unknown;
  readonly query: unknown;
}

/**
 * Serves a request to a compiled route. Each step has its own file:
 *
 * 1. admission: `admission.ts` accepts the request by its head, which `inspect-request.ts` checks
 * 2. parse: `receive-body.ts`
 * 3. guard, rate limit, pipe, handler: `compile-route.ts`, in this order
 * 4. writer: `compiled-reply.ts` writes the result by the class that the route declares
 * 5. response: `write-response.ts`
 */
export function serve(route: CompiledRoute, raw: Message, response: Outgoing, target: Target): void {
  const request = new CompiledRequest(makeRequestId(), route, raw, target.params, target.query);
  const reply = new CompiledReply(response, request, route);
  raw[replyOf] = reply;
  response[replyOf] = reply;
  raw.on('close', onClose);
  response.on('finish', onFinish).on('error', onFinish);
  try {
    checkHead(raw);
    for (const hook of route.hooks.onRequest) hook(request, reply, nothing);
  } catch (error) {
    return reply.fail(error);
  }
  if (raw.headers['content-length'] === undefined) handle(reply);
  else receiveBody(reply, handle);
}

function handle(reply: CompiledReply): void {
  const { preHandler } = reply.route.hooks;
  if (preHandler.length === 0) call(reply);
  else callThrough(reply, 0);
}

/** Calls the hooks before the handler in order. A hook may run the rest in its own asynchronous context. */
function callThrough(reply: CompiledReply, at: number): void {
  const hook = reply.route.hooks.preHandler[at];
  if (hook === undefined) call(reply);
  else hook(reply.request, reply, () => callThrough(reply, at + 1));
}

function call(reply: CompiledReply): void {
  try {
    const handled = reply.route.handle(reply.request, reply);
    if (isThenable(handled)) handled.then(undefined, (error: unknown) => reply.fail(error));
  } catch (error) {
    reply.fail(error);
  }
}

/** Handles the end of each response. Responses share this listener, because closures would cost more than the rest. */
function onFinish(this: Outgoing): void {
  const reply = this[replyOf];
  if (reply === undefined || reply.endedAt !== undefined) return;
  reply.endedAt = performance.now();
  for (const hook of reply.route.hooks.onResponse) hook(reply.request, reply, nothing);
}

function onClose(this: Message): void {
  const reply = this[replyOf];
  if (reply === undefined || !this.aborted) return;
  for (const hook of reply.route.hooks.onRequestAbort) hook(reply.request, nothing);
}

function nothing(): void {}
