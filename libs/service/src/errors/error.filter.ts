import type { AccountsStore } from '@app/accounts';
import type { ErrorForm } from '@app/contract';
import type { ErrorReply } from '@app/http-errors';
import { ForeignKeyViolationError } from '@app/persistence';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, throwError } from 'rxjs';
import { ReferenceConflictError } from './errors';
import { BodyLengthError } from '../http/errors';
import type { IngressLog } from '../logs/open-logs';
import { lingerOnClose } from '../http/linger';
import { ThrottledLines } from '../logs/throttled-lines';
import { publishRefusalBy } from '../overload/refusals';
import { fieldError, messageError, unhandledReply } from '../responses/problem';
import { render, type WrittenReply } from '../responses/render';
import { replyToException } from './exception-reply.filter';
import { explainForeignKey } from './foreign-keys';

/**
 * Turns every error into a reply that follows the specification. An unhandled error becomes a 500 with the request's id. The
 * error itself is only logged, once, with the same id.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly form: ErrorForm,
    private readonly log: IngressLog,
    private readonly lines = new ThrottledLines(),
    private readonly accounts?: Pick<AccountsStore, 'stateOf'>,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void | Promise<void> | Observable<never> {
    if (host.getType() === 'rpc') return throwError(() => this.messageError(error));
    // Nest's drivers put the request into the field context.
    if (host.getType<string>() === 'graphql')
      return this.throwFieldError(error, host.getArgByIndex<{ req?: FastifyRequest } | undefined>(2)?.req);
    return this.sendError(error, host.getArgByIndex<FastifyRequest>(0), host.getArgByIndex<FastifyReply>(1));
  }

  /**
   * Sends an error reply, like {@link catch} without an `ArgumentsHost`. Returns a promise only for a violated foreign key,
   * because its cause is in the store.
   */
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const explained = this.explain(error, request);
    if (explained instanceof Promise) return explained.then((cause) => this.send(cause, request, reply));
    this.send(explained, request, reply);
  }

  private explain(error: unknown, request: FastifyRequest): unknown {
    return error instanceof ForeignKeyViolationError
      ? explainForeignKey(error, request, this.accounts)
      : error;
  }

  /** @throws the error that the GraphQL driver sends, or `error` itself without a request */
  private async throwFieldError(error: unknown, request: FastifyRequest | undefined): Promise<never> {
    if (request === undefined) throw error;
    const explained = await this.explain(error, request);
    throw fieldError(this.replyTo(explained, request) ?? unhandledReply, this.form, request.id);
  }

  /** Returns the error that a microservice sends to a message's sender. An `RpcException` is sent in Nest's way. */
  private messageError(error: unknown): unknown {
    if (error instanceof Error && 'getError' in error && typeof error.getError === 'function') {
      const sent: unknown = error.getError();
      return typeof sent === 'object' ? sent : { status: 'error', message: sent };
    }
    const reply = replyToException(error);
    if (reply === undefined || reply.status >= 500) this.log.error({ err: error }, 'message failed');
    return messageError(reply ?? unhandledReply, this.form);
  }

  private send(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent || reply.raw.headersSent) return this.destroyConnection(error, request, reply);
    if (isIncompleteForm(request)) void reply.header('connection', 'close');
    lingerOnClose(request.raw);
    const { id, headers } = request;
    send(render(this.replyTo(error, request), this.form, { id, accept: headers.accept }), reply);
  }

  /** Returns the reply to an error, and logs the error if necessary. Returns `undefined` for an unhandled error. */
  private replyTo(error: unknown, request: FastifyRequest): ErrorReply | undefined {
    if (isAborted(error, request)) {
      this.log.debug(fieldsOf(error, request), 'client aborted request');
      return new BodyLengthError().reply;
    }
    const reply = replyToException(error, request);
    if (reply) publishRefusalBy(error, reply.status);
    if (reply && reply.status < 500 && !(error instanceof ReferenceConflictError)) return reply;
    if (reply && reply.status !== 500) {
      this.logRefusal(error, request);
      return reply;
    }
    this.log.error(fieldsOf(error, request), 'unhandled error');
    return undefined;
  }

  /** Logs refusals, throttled because overload causes thousands of stacks a second. Missing references may be program faults. */
  private logRefusal(error: unknown, request: FastifyRequest): void {
    const kind = error instanceof Error ? error.constructor.name : 'unknown';
    this.lines.add(`request failed: ${kind}`, (count) =>
      this.log.warn({ ...fieldsOf(error, request), ...(count > 1 && { count }) }, 'request failed'),
    );
  }

  /** Closes the connection because it is too late for an error reply. The client then stops waiting for the rest. */
  private destroyConnection(error: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
    this.log.error(fieldsOf(error, request), 'error after headers sent');
    if (!raw.writableEnded) raw.destroy();
  }
}

/** Returns whether the client aborted its upload. Clients may do so as often as they like, so it is not a service error. */
function isAborted(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof Error && error === raw.errored;
}

/** Returns whether a multipart body is incomplete. Keeping the connection alive would mean reading a rejected upload. */
function isIncompleteForm({ raw }: FastifyRequest): boolean {
  return !raw.complete && (raw.headers['content-type'] ?? '').startsWith('multipart/');
}

function send({ status, headers, body }: WrittenReply, reply: FastifyReply): void {
  const varied = reply.getHeader('vary');
  void reply.code(status).headers(headers);
  if (varied !== undefined) void reply.header('vary', `${String(varied)}, ${headers['vary']}`);
  void reply.send(body);
}

/** Returns an error's log fields. They contain the declared route because a path or a query string may contain secrets. */
function fieldsOf(err: unknown, { id, method, routeOptions }: FastifyRequest): object {
  return { err, requestId: id, method, route: routeOptions.url };
}
