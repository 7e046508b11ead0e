import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/body/received-bytes';
import type { CompiledReply } from './compiled-reply';

const receiver = Symbol('receiver');

interface Receiving extends IncomingMessage {
  [receiver]?: Receiver;
}

/** Receives the body of one request. */
interface Receiver {
  readonly reply: CompiledReply;
  readonly proceed: (reply: CompiledReply) => void;
}

/**
 * Receives a JSON body, and calls back when it is complete and parsed. A body that is invalid or breaks off gets an error as response.
 *
 * The listeners are shared by all requests: a closure for each event of each request costs more than reading the body.
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

/** The client may send more, so the connection is closed. */
function reject(reply: CompiledReply, error: unknown): void {
  reply.header('connection', 'close').fail(error);
}
