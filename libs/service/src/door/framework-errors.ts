import type { FastifyError } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { type Answer, answerIn } from './answer';
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
import { doorLimits } from './limits';

/** The errors of Fastify and of Node that a caller can cause, as our own. */
const ours: Readonly<Record<string, Answer>> = {
  FST_ERR_BAD_URL: new BrokenTargetError('path').answer,
  FST_ERR_MAX_PARAM_LENGTH: new ParamTooLongError(doorLimits.maxParamLength).answer,
  FST_ERR_CTP_BODY_TOO_LARGE: new BodyTooLargeError(doorLimits.maxBodyBytes).answer,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new UnsupportedBodyError().answer,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new BodyLengthError().answer,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: new UnsupportedBodyError().answer,
  ERR_HTTP_REQUEST_TIMEOUT: new RequestTimeoutError().answer,
  HPE_HEADER_OVERFLOW: new HeadersTooLargeError().answer,
};

/**
 * @returns what to answer to an error of ours or of the framework's; `undefined` when nobody foresaw it. Of a
 *   framework error that we do not know, only the status is told: its message may hold anything.
 */
export function answerTo(error: unknown): Answer | undefined {
  return answerIn(error) ?? (isFastifyError(error) ? answerToFastify(error) : undefined);
}

/** @returns what to answer when a connection brought something that is no request, or brought it too slowly */
export function answerToConnection({ code = '' }: NodeJS.ErrnoException): Answer {
  return ours[code] ?? new MalformedRequestError().answer;
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_');
}

function answerToFastify({ code, statusCode: status = 500 }: FastifyError): Answer | undefined {
  if (Object.hasOwn(ours, code)) return ours[code];
  return status < 400 || status > 499 ? undefined : { status, message: STATUS_CODES[status] ?? 'Error' };
}
