import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { isThenable } from '@app/engine';
import { UnknownPathError } from '../http/errors';
import { fixedHeaders } from '../responses/fixed-headers';
import type { CompiledRequest } from './compiled-request';
import type { CompiledRoute, PayloadHook } from './compiled-route';
import { type Fields, isFetched, writeResponse } from './write-response';

const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const octets = 'application/octet-stream';

/** The members that distinguish a stream or bytes from text or an object to be written as JSON. */
interface BodyLike {
  readonly pipe?: unknown;
  readonly getReader?: unknown;
  readonly buffer?: unknown;
}

/**
 * The reply to a compiled route's request. It has the members of Fastify's reply, except the members for JSON schemas and
 * trailers. It writes a body, calls the route's hooks, and sends the response.
 */
export class CompiledReply {
  readonly startedAt = performance.now();
  endedAt: number | undefined;
  /** The header fields by their lower-case names. */
  readonly fields: Fields;
  private ownSerializer: ((body: unknown) => string) | undefined;
  private hasStatus = false;
  private isHijacked = false;

  constructor(
    readonly raw: ServerResponse,
    readonly request: CompiledRequest,
    readonly route: CompiledRoute,
  ) {
    this.fields = { 'x-request-id': request.id, ...fixedHeaders };
  }

  get log() {
    return this.route.log;
  }

  get server() {
    return this.route.server;
  }

  get routeOptions() {
    return this.route.options;
  }

  get elapsedTime(): number {
    return (this.endedAt ?? performance.now()) - this.startedAt;
  }

  get sent(): boolean {
    return this.isHijacked || this.raw.writableEnded;
  }

  get statusCode(): number {
    return this.raw.statusCode;
  }

  set statusCode(status: number) {
    this.code(status);
  }

  code(status: number): this {
    if (!(status >= 100 && status <= 599)) throw new RangeError(`${status} is no HTTP status`);
    this.raw.statusCode = status;
    this.hasStatus = true;
    return this;
  }

  status(status: number): this {
    return this.code(status);
  }

  header(name: string, value: Fields[string] = ''): this {
    const key = name.toLowerCase();
    const before = key === 'set-cookie' ? this.fields[key] : undefined;
    if (before) this.fields[key] = [before, value ?? []].flat().map(String);
    else this.fields[key] = Array.isArray(value) ? [...value] : value;
    return this;
  }

  headers(values: Readonly<Fields>): this {
    for (const name of Object.keys(values)) this.header(name, values[name]);
    return this;
  }

  getHeader(name: string): Fields[string] {
    const key = name.toLowerCase();
    return this.fields[key] ?? this.raw.getHeader(key);
  }

  getHeaders(): Fields {
    return { ...this.raw.getHeaders(), ...this.fields };
  }

  hasHeader(name: string): boolean {
    const key = name.toLowerCase();
    return this.fields[key] !== undefined || this.raw.hasHeader(key);
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase();
    delete this.fields[key];
    if (!this.raw.headersSent) this.raw.removeHeader(key);
    return this;
  }

  type(type: string): this {
    this.fields['content-type'] = type;
    return this;
  }

  redirect(url: string, status = this.hasStatus ? this.raw.statusCode : 302): this {
    return this.header('location', url).code(status).send();
  }

  writeEarlyHints(hints: Record<string, string | string[]>, done?: () => void): void {
    this.raw.writeEarlyHints(hints, done);
  }

  hijack(): this {
    this.isHijacked = true;
    return this;
  }

  callNotFound(): void {
    this.fail(new UnknownPathError(this.request.method, this.request.originalUrl));
  }

  serializer(write: (body: unknown) => string): this {
    this.ownSerializer = write;
    return this;
  }

  serialize(body: unknown): string {
    return this.ownSerializer === undefined
      ? this.route.serialize(body, this.raw.statusCode)
      : this.ownSerializer(body);
  }

  getDecorator(name: string | symbol): unknown {
    return Reflect.get(this, name);
  }

  /** Waits for the end of the response, like Fastify's reply. */
  // oxlint-disable-next-line unicorn/no-thenable
  then(fulfilled: () => void, rejected: (error: Error) => void): void {
    if (this.sent) return fulfilled();
    finished(this.raw, (error) => {
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') rejected(error);
      else fulfilled();
    });
  }

  /** Sends a body, or the response to an error. */
  send(body?: unknown): this {
    if (this.sent) return this;
    if (body instanceof Error) this.fail(body);
    else if (body === undefined || isStream(body)) this.respond(body);
    else if (isBytes(body)) this.sendBytes(body);
    else if (typeof body === 'string') this.sendText(body);
    else this.sendObject(body);
    return this;
  }

  /** Sends the response to an error. */
  fail(error: unknown): void {
    delete this.fields['content-type'];
    delete this.fields['content-length'];
    try {
      const sent = this.route.sendError(error, this.request, this);
      if (isThenable(sent)) void this.giveUpIfRejected(sent);
    } catch (cause) {
      this.giveUp(cause);
    }
  }

  private sendBytes(body: Uint8Array): void {
    if (this.getHeader('content-type') === undefined) this.type(octets);
    this.respond(Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  }

  private sendText(body: string): void {
    const type = this.getHeader('content-type');
    if (type === undefined) this.type(text);
    else if (this.ownSerializer !== undefined) return this.respond(this.ownSerializer(body));
    else this.completeType(type);
    this.respond(body);
  }

  private sendObject(body: unknown): void {
    const type = this.getHeader('content-type');
    const hasOwnSerializer = this.ownSerializer !== undefined;
    if (!hasOwnSerializer && type === undefined) this.type(json);
    else if (!hasOwnSerializer && !this.completeType(type)) return this.respond(body);
    let written: string;
    try {
      written = this.serialize(throughHooks(this.route.hooks.preSerialization, this, body));
    } catch (error) {
      if (typeof error === 'object' && error !== null)
        Reflect.set(error, 'serialization', this.route.options.config);
      // A hook may have set the writer of the body, which must not write the response to the error.
      this.ownSerializer = undefined;
      return this.fail(error);
    }
    this.respond(written);
  }

  /** Adds the charset to a JSON type. @returns whether the type is JSON */
  private completeType(type: Fields[string]): boolean {
    if (typeof type !== 'string' || !type.includes('json')) return false;
    if (!/;\s*charset\s*=/i.test(type)) this.type(`${type}; charset=utf-8`);
    return true;
  }

  private respond(body: unknown): void {
    let sent: unknown;
    try {
      sent = throughHooks(this.route.hooks.onSend, this, body);
    } catch (error) {
      return this.fail(error);
    }
    writeResponse(this, sent);
  }

  private async giveUpIfRejected(sent: PromiseLike<unknown>): Promise<void> {
    try {
      await sent;
    } catch (cause) {
      this.giveUp(cause);
    }
  }

  /** Sends only the status as JSON, because the response to the error could not be written. */
  private giveUp(cause: unknown): void {
    const { raw } = this;
    if (raw.headersSent || raw.destroyed) return void raw.destroy(Object(cause));
    if (raw.statusCode < 400) raw.statusCode = 500;
    const body = this.route.serialize(
      Object.assign(new Error(), { statusCode: raw.statusCode }),
      raw.statusCode,
    );
    this.fields['content-type'] ??= json;
    this.fields['content-length'] = Buffer.byteLength(body);
    try {
      raw.writeHead(raw.statusCode, this.fields);
    } catch {
      raw.writeHead(raw.statusCode);
    }
    raw.end(body);
  }
}

function isStream(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { pipe, getReader } = body as BodyLike;
  return typeof pipe === 'function' || typeof getReader === 'function' || isFetched(body);
}

function isBytes(body: unknown): body is Uint8Array {
  return typeof body === 'object' && body !== null && (body as BodyLike).buffer instanceof ArrayBuffer;
}

let passed: unknown;
let failed: Error | null = null;
const pass = (error: Error | null, body?: unknown): void => {
  failed = error;
  passed = body;
};

/** Passes a body through the hooks. @throws the error of a hook */
function throughHooks(hooks: readonly PayloadHook[], reply: CompiledReply, body: unknown): unknown {
  let sent = body;
  for (const hook of hooks) {
    hook(reply.request, reply, sent, pass);
    if (failed) throw failed;
    sent = passed;
  }
  return sent;
}
