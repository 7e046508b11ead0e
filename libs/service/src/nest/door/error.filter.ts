import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BodyLengthError } from '../../door/errors';
import {
  composeAnswer,
  composeUnexpected,
  type ErrorForm,
  type WrittenAnswer,
} from '../../door/write-answer';
import { answerToException } from './exceptions';

/** Where the filter tells what callers are not told; a pino logger is one. */
export interface DoorLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Turns every error into an answer of the specification. What nobody foresaw is a 500 with the request's id; its
 * cause is told to the log, once, under the same id, and to nobody else.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly form: ErrorForm,
    private readonly log: DoorLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    this.answerError(error, host.getArgByIndex<FastifyRequest>(0), host.getArgByIndex<FastifyReply>(1));
  }

  /** What {@link catch} does, for who has request and reply at hand. */
  answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    if (reply.sent || reply.raw.headersSent) this.breakOff(error, request, reply);
    else send(this.answer(error, request), reply);
  }

  private answer(error: unknown, request: FastifyRequest): WrittenAnswer {
    if (isCallerGone(error, request)) {
      this.log.debug(fieldsOf(error, request), 'the caller went away while sending');
      return composeAnswer(new BodyLengthError().answer, this.form);
    }
    const answer = answerToException(error, request);
    if (answer && answer.status < 500) return composeAnswer(answer, this.form);
    if (answer && answer.status > 500) {
      this.log.warn(fieldsOf(error, request), 'the service could not do what was asked');
      return composeAnswer(answer, this.form);
    }
    this.log.error(fieldsOf(error, request), 'an error that nobody foresaw');
    return composeUnexpected(request.id);
  }

  /** Too late for an answer: a caller who has half of one sees the connection end instead of waiting for the rest. */
  private breakOff(error: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
    this.log.error(fieldsOf(error, request), 'an error after the answer had begun');
    if (!raw.writableEnded) raw.destroy();
  }
}

/** Anybody can break off an upload, as often as they like; that is no error of ours. */
function isCallerGone(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof Error && error === raw.errored;
}

function send({ status, headers, body }: WrittenAnswer, reply: FastifyReply): void {
  void reply.code(status).headers(headers).send(body);
}

/** The route as it is declared: a path or a query string may carry what no log should hold. */
function fieldsOf(err: unknown, { id, method, routeOptions }: FastifyRequest): object {
  return { err, requestId: id, method, route: routeOptions.url };
}
