import { HttpException, NotFoundException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ErrorReply } from '@app/http-errors';
import { UnstorableValueError } from '@app/persistence';
import { UnknownPathError } from '../http/errors';
import { replyTo } from '../http/framework-errors';
import { replyToUnstorable } from './unstorable';

/**
 * @param request `undefined` for a microservice message
 * @returns the reply to an error that reached Nest, or `undefined` if it is unhandled
 */
export function replyToException(error: unknown, request?: FastifyRequest): ErrorReply | undefined {
  if (error instanceof UnstorableValueError)
    return (request && replyToUnstorable(error, request)) ?? replyTo(error);
  if (!(error instanceof HttpException)) return replyTo(error);
  if (request && isUnknownPath(error, request))
    return new UnknownPathError(request.method, request.originalUrl).reply;
  // Nest wraps Fastify's errors and copies their message.
  return replyTo(error) ?? replyTo(error.cause) ?? { status: error.getStatus(), message: messageOf(error) };
}

/** Returns whether an error is Nest's own 404, which repeats the whole target with its query string in its message. */
function isUnknownPath(error: HttpException, { method, originalUrl }: FastifyRequest): boolean {
  return error instanceof NotFoundException && error.message === `Cannot ${method} ${originalUrl}`;
}

function messageOf(error: HttpException): string | string[] {
  const response = error.getResponse();
  const message: unknown =
    typeof response === 'string' ? response : (response as { message?: unknown }).message;
  if (Array.isArray(message)) return message.map(String);
  return typeof message === 'string' ? message : error.message;
}
