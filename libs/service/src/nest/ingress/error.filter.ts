import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyLengthError } from '../../ingress/errors';
import {
  composeErrorReply,
  composeUnhandled,
  type ErrorForm,
  type WrittenReply,
} from '../../ingress/write-error';
import { replyToException } from './exceptions';

/** Where the filter tells what callers are not told; a pino logger is one. */
export interface IngressLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Turns every error into a reply of the specification. What nobody foresaw is a 500 with the request's id; its
 * cause is told to the log, once, under the same id, and to nobody else.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly form: ErrorForm,
    private readonly log: IngressLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.sendError(error, host.getArgByIndex<FastifyRequest>(0), host.getArgByIndex<FastifyReply>(1));
  }

  /** What {@link catch} does, for who has request and reply at hand. */
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent || reply.raw.headersSent) this.breakOff(error, request, reply);
    else send(this.reply(error, request), reply);
  }

  private reply(error: unknown, request: FastifyRequest): WrittenReply {
    if (isCallerGone(error, request)) {
      this.log.debug(fieldsOf(error, request), 'client aborted request');
      return composeErrorReply(new BodyLengthError().reply, this.form);
    }
    const reply = replyToException(error, request);
    if (reply && reply.status < 500) return composeErrorReply(reply, this.form);
    if (reply && reply.status > 500) {
      this.log.warn(fieldsOf(error, request), 'request failed');
      return composeErrorReply(reply, this.form);
    }
    this.log.error(fieldsOf(error, request), 'unhandled error');
    return composeUnhandled(request.id);
  }

  /** Too late for a reply: a caller who has half of one sees the connection end instead of waiting for the rest. */
  private breakOff(error: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
    this.log.error(fieldsOf(error, request), 'error after headers sent');
    if (!raw.writableEnded) raw.destroy();
  }
}

/** Anybody can break off an upload, as often as they like; that is no error of ours. */
function isCallerGone(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof Error && error === raw.errored;
}

function send({ status, headers, body }: WrittenReply, reply: FastifyReply): void {
  void reply.code(status).headers(headers).send(body);
}

/** The route as it is declared: a path or a query string may carry what no log should hold. */
function fieldsOf(err: unknown, { id, method, routeOptions }: FastifyRequest): object {
  return { err, requestId: id, method, route: routeOptions.url };
}
