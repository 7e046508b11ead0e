import type { ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';

/** The header fields by name. */
export type Fields = Record<string, number | string | string[] | undefined>;

/** A reply with a body to write. */
interface Written {
  readonly raw: ServerResponse;
  readonly fields: Fields;
  header(name: string, value: string): unknown;
  fail(error: unknown): void;
}

/** Sends a response's head and body: text, bytes, a stream, a `Response`, or nothing. */
export function writeResponse(reply: Written, body: unknown): void {
  if (isFetched(body)) return writeFetched(reply, body);
  const { raw, fields } = reply;
  const { statusCode: status } = raw;
  if (body === undefined || body === null) {
    if (status >= 200 && status !== 204 && status !== 304) fields['content-length'] = '0';
    raw.writeHead(status, fields).end();
  } else if (status < 200 || status === 204) writeHeadAlone(reply, body);
  else if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const length = Buffer.byteLength(body);
    if (Number(fields['content-length']) !== length) fields['content-length'] = String(length);
    raw.writeHead(status, fields).end(body);
  } else if (body instanceof ReadableStream) writeStream(reply, Readable.fromWeb(body));
  else if (isReadable(body)) writeStream(reply, body);
  else throw new TypeError(`a ${typeof body} cannot be sent as a body`);
}

/** Returns whether a body is a `fetch` `Response`, whichever package it comes from. */
export function isFetched(body: unknown): body is Response {
  return typeof body === 'object' && body !== null && Reflect.get(body, Symbol.toStringTag) === 'Response';
}

function writeFetched(reply: Written, response: Response): void {
  reply.raw.statusCode = response.status;
  for (const [name, value] of response.headers) reply.header(name, value);
  writeResponse(reply, response.body);
}

/** Sends only the head, because responses with this status have no body. */
function writeHeadAlone({ raw, fields }: Written, body: unknown): void {
  delete fields['content-type'];
  delete fields['content-length'];
  raw.removeHeader('content-type');
  raw.removeHeader('content-length');
  raw.writeHead(raw.statusCode, fields).end();
  if (isReadable(body)) body.on('error', () => undefined).resume();
}

/** Sends a stream. The head is written with the first data, because a stream may fail before. */
function writeStream(reply: Written, body: Readable): void {
  const { raw, fields } = reply;
  let isOpen = true;
  finished(body, { readable: true, writable: false }, (error) => {
    isOpen = false;
    if (!error) return;
    if (raw.headersSent || raw.req.aborted) raw.destroy();
    else reply.fail(error);
  });
  finished(raw, () => {
    if (isOpen) body.destroy();
  });
  for (const name in fields) raw.setHeader(name, fields[name] ?? '');
  body.pipe(raw);
}

function isReadable(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body && typeof body.pipe === 'function';
}
