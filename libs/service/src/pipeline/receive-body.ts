import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/body/received-bytes';
import type { CompiledReply } from './compiled-reply';

const receiver = Symbol('receiver');

interface Receiving extends IncomingMessage {
  [receiver]?: Receiver;
}

/** The state of a request while its body is received. */
interface Receiver {
  readonly reply: CompiledReply;
  readonly proceed: (reply: CompiledReply) => void;
}

/**
 * Receives a JSON body, and calls back when it is complete and parsed. An invalid or interrupted body gets an error response.
 *
 * All requests share the listeners, because closures for each request's events cost more than reading the body.
 */
export function receiveBody(reply: CompiledReply, proceed: (reply: CompiledReply) => void): void {
  const raw: Receiving = reply.request.raw;
  raw[receiver] = { reply, proceed };
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}

function onData(this: Receiving, chunk: Buffer): void {
  const request = this[receiver]?.reply.request;
  if (request) request.received = request.received ? Buffer.concat([request.received, chunk]) : chunk;
}

function onEnd(this: Receiving): void {
  if (this[receiver] === undefined) return;
  const { reply, proceed } = this[receiver];
  const { request } = reply;
  try {
    request.body = readBody(request, request.received ?? Buffer.alloc(0));
  } catch (error) {
    return reject(reply, error);
  }
  proceed(reply);
}

function onError(this: Receiving, error: Error): void {
  if (this[receiver]) reject(this[receiver].reply, Object.assign(error, { statusCode: 400 }));
}

/** Sends the error and closes the connection, because the client may send more. */
function reject(reply: CompiledReply, error: unknown): void {
  reply.header('connection', 'close').fail(error);
}
