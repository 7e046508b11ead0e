import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorForm } from '@app/contract';
import type { ErrorReply } from '@app/http-errors';
import { responseOn } from '../process/node.internals';
import { ExpectationError } from './errors';
import { replyToConnection } from './framework-errors';
import { render, specifiedForm, withLength, type WrittenReply } from '../responses/render';

/** The options for sending a program's errors. */
export interface ErrorSending {
  /** The prefix that paths have for clients. */
  readonly pathPrefix: string;
  readonly form: ErrorForm;
}

/**
 * Replies to invalid or slow request bytes, and closes the connection. A pending response to an earlier request is sent first.
 * The reply never interrupts a response that has begun.
 */
export function replyToConnectionError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  sending: ErrorSending = { pathPrefix: '', form: specifiedForm },
): void {
  const pending = responseOn(socket);
  if (pending?.req.complete) closeAfter(pending, socket);
  else if (socket.writable && !pending?.headersSent) {
    const written = writtenFor(replyToConnection(error), pending?.req, sending);
    socket.end(toHttp(written), () => socket.destroy());
  } else socket.destroy();
}

/** Replies to an unsupported `Expect` header, because Node's own 417 has no body. */
export function rejectExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  sending: ErrorSending,
): void {
  const { status, headers, body } = writtenFor(new ExpectationError().reply, request, sending);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}

/** @param request the request if its header fields have arrived; it has no id yet */
function writtenFor(
  reply: ErrorReply,
  request: IncomingMessage | undefined,
  { pathPrefix, form }: ErrorSending,
): WrittenReply {
  return withLength(render(reply, form, { accept: request?.headers.accept, pathPrefix }));
}

function closeAfter(owed: ServerResponse, socket: Socket): void {
  owed.shouldKeepAlive = false;
  owed.once('close', () => socket.destroySoon());
}

function toHttp({ status, headers, body }: WrittenReply): string {
  const fields = {
    ...headers,
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`;
}
