/// <reference types="./fastify-internals" />
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import symbols from 'fastify/lib/symbols.js';

/** What Fastify keeps in a reply. */
export interface ReplyState {
  [symbols.kReplyHeaders]: Record<string, string>;
  [symbols.kReplyIsError]: boolean;
  readonly [symbols.kReplySerializer]: unknown;
  readonly [symbols.kReplyTrailers]: unknown;
  [symbols.kReplyStartTime]: number | undefined;
  [symbols.kReplyEndTime]: number | undefined;
}

export type Reply = FastifyReply & ReplyState;

/** A class of replies, as a route has it. */
export type ReplyClass = new (
  response: ServerResponse,
  request: FastifyRequest,
  log: FastifyBaseLogger,
) => Reply;

/** A hook that may replace what is sent, and calls `done` before it returns. */
type SendHook = (request: FastifyRequest, reply: Reply, payload: unknown, done: SendDone) => void;
type SendDone = (error: Error | null, payload?: unknown) => void;

const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';

/**
 * Makes the replies of a route: those of Fastify, of which the usual body, text or an object that is written as JSON, is sent
 * without looking for what a body may be else. All others are sent by Fastify.
 */
export function directReplyOf(Base: ReplyClass, hooks: readonly SendHook[]): ReplyClass {
  class DirectReply extends Base {
    override send(payload?: unknown): FastifyReply {
      if (!isDirect(this)) return super.send(payload);
      const type = this[symbols.kReplyHeaders]['content-type'];
      if (typeof payload === 'string') {
        if (type !== undefined && type !== json && type !== text) return super.send(payload);
        this[symbols.kReplyHeaders]['content-type'] = type ?? text;
        write(this, throughHooks(this, payload, hooks));
        return this;
      }
      if (type !== undefined || !isJson(payload)) return super.send(payload);
      this[symbols.kReplyHeaders]['content-type'] = json;
      let body: unknown;
      try {
        body = this.serialize(payload);
      } catch (error) {
        this[symbols.kReplyIsError] = true;
        return super.send(Object.assign(Object(error), { serialization: this.routeOptions.config }));
      }
      if (typeof body !== 'string') return super.send(body);
      write(this, throughHooks(this, body, hooks));
      return this;
    }
  }
  return DirectReply;
}

/** Whether nothing but the body decides how it is sent. */
function isDirect(reply: Reply): boolean {
  const { statusCode, writableEnded, headersSent } = reply.raw;
  return (
    !reply[symbols.kReplyIsError] &&
    reply[symbols.kReplySerializer] === null &&
    reply[symbols.kReplyTrailers] === null &&
    reply[symbols.kReplyHeaders]['content-length'] === undefined &&
    !writableEnded &&
    !headersSent &&
    !reply.sent &&
    statusCode >= 200 &&
    statusCode !== 204 &&
    statusCode !== 304
  );
}

/** What Fastify looks for in a body. */
interface BodyLike {
  readonly pipe?: unknown;
  readonly getReader?: unknown;
  readonly buffer?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
}

/** Whether a body is an object that is written as JSON: no stream, no bytes, no `Response`, no error. */
function isJson(payload: unknown): boolean {
  if (typeof payload !== 'object' || payload === null || payload instanceof Error) return false;
  const { pipe, getReader, buffer, [Symbol.toStringTag]: tag } = payload as BodyLike;
  return pipe === undefined && getReader === undefined && buffer === undefined && tag === undefined;
}

let passed: unknown;
const pass: SendDone = (_error, payload) => (passed = payload);

function throughHooks(reply: Reply, body: string, hooks: readonly SendHook[]): string {
  let sent = body;
  for (const hook of hooks) {
    hook(reply.request, reply, sent, pass);
    sent = String(passed);
  }
  return sent;
}

function write(reply: Reply, body: string): void {
  const { raw, [symbols.kReplyHeaders]: headers } = reply;
  headers['content-length'] = `${Buffer.byteLength(body)}`;
  raw.writeHead(raw.statusCode, headers);
  raw.end(body);
}
