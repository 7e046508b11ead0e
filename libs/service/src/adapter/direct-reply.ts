/// <reference types="./fastify-internals" />
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import symbols from 'fastify/lib/symbols.js';
import { fixedHeaders } from '../responses/fixed-headers';

/** The id that was made for the request of a reply. */
export const requestId = Symbol('requestId');

/** What Fastify keeps in a reply, and its id. */
export interface ReplyState {
  [symbols.kReplyHeaders]: Record<string, string>;
  [symbols.kReplyIsError]: boolean;
  readonly [symbols.kReplySerializer]: unknown;
  readonly [symbols.kReplyTrailers]: unknown;
  [symbols.kReplyStartTime]: number | undefined;
  [symbols.kReplyEndTime]: number | undefined;
  [requestId]: string;
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

const { prototype } = ServerResponse;
const writeHead: unknown = Reflect.get(prototype, 'writeHead');
/** To which `writeHead` gives the status line and the headers; not of Node's interface. */
const storeHeader: unknown = Reflect.get(prototype, '_storeHeader');
const fixedNames = Object.keys(fixedHeaders);
const fixedLines = fixedNames.map((name) => `${name}: ${fixedHeaders[name]}\r\n`).join('');

function write(reply: Reply, body: string): void {
  const { raw, [symbols.kReplyHeaders]: headers } = reply;
  headers['content-length'] = `${Buffer.byteLength(body)}`;
  if (!storeHeaders(reply)) raw.writeHead(raw.statusCode, headers);
  raw.end(body);
}

/**
 * As `writeHead` does, which would look again at each of our own headers for what must not be in one.
 *
 * @returns whether it could: neither they nor the response were changed
 */
function storeHeaders({ raw, [requestId]: id, [symbols.kReplyHeaders]: headers }: Reply): boolean {
  if (typeof storeHeader !== 'function' || Reflect.get(raw, 'writeHead') !== writeHead) return false;
  const isChanged = raw.statusMessage !== undefined || raw.getHeaderNames().length > 0;
  if (isChanged || headers['x-request-id'] !== id) return false;
  const others = othersOf(headers);
  if (others === undefined) return false;
  raw.statusMessage = STATUS_CODES[raw.statusCode] ?? 'unknown';
  const status = `HTTP/1.1 ${raw.statusCode} ${raw.statusMessage}`;
  Reflect.apply(storeHeader, raw, [`${status}\r\nx-request-id: ${id}\r\n${fixedLines}`, others]);
  return true;
}

/** Names and values of what comes after our own headers; `undefined` if one of these is not as it was. */
function othersOf(headers: Readonly<Record<string, string>>): readonly string[] | undefined {
  const others: string[] = [];
  let at = -1;
  for (const name in headers) {
    if (at >= fixedNames.length) others.push(name, headers[name]);
    else if (at >= 0 && (name !== fixedNames[at] || headers[name] !== fixedHeaders[name])) return undefined;
    at += 1;
  }
  return others;
}
