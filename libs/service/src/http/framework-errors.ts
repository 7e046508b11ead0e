import type { FastifyError } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { ErrorReply } from '@app/http-errors';
import { replyOf } from '../responses/error-reply';
import {
  BodyLengthError,
  BodyTooLargeError,
  BrokenTargetError,
  HeadersTooLargeError,
  MalformedRequestError,
  ParamTooLongError,
  RequestTimeoutError,
  UnsupportedBodyError,
} from './errors';
import { ingressLimits } from './limits';

/** The Fastify and Node errors that a caller can cause, mapped to Sluice replies. */
const knownErrors: Readonly<Record<string, ErrorReply>> = {
  FST_ERR_BAD_URL: new BrokenTargetError('path').reply,
  FST_ERR_MAX_PARAM_LENGTH: new ParamTooLongError(ingressLimits.maxParamLength).reply,
  FST_ERR_CTP_BODY_TOO_LARGE: new BodyTooLargeError(ingressLimits.maxBodyBytes).reply,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new UnsupportedBodyError().reply,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new BodyLengthError().reply,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: new UnsupportedBodyError().reply,
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeoutError().reply,
  HPE_HEADER_OVERFLOW: new HeadersTooLargeError().reply,
};

/**
 * @returns the reply to a Sluice or framework error; `undefined` if it is unhandled. For unknown framework errors it has only
 *   the status, because the message may contain anything.
 */
export function replyTo(error: unknown): ErrorReply | undefined {
  return replyOf(error) ?? (isFastifyError(error) ? replyToFastify(error) : undefined);
}

/** Returns the reply to bytes that are not a valid request, or that arrived too slowly. */
export function replyToConnection({ code = '' }: NodeJS.ErrnoException): ErrorReply {
  return knownErrors[code] ?? new MalformedRequestError().reply;
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

function replyToFastify({ code, statusCode: status = 500 }: FastifyError): ErrorReply | undefined {
  if (Object.hasOwn(knownErrors, code)) return knownErrors[code];
  return status < 400 || status > 499 ? undefined : { status, message: STATUS_CODES[status] ?? 'Error' };
}
