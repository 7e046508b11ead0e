import { STATUS_CODES } from 'node:http';
import type { ErrorBody, ErrorForm, OwnErrors, SentError } from '@app/contract';
import { type ErrorReply, type FieldProblems, problemOfStatus } from '@app/http-errors';
import { UnauthenticatedError } from '@app/auth';
import { closedWriter, type ClosedWriter } from '@app/engine';
import { fixedHeaders } from './fixed-headers';
import { withPrefixedType } from './path-prefix';
import { prefersProblem } from './preferred-type';
import { problemOf, sentStatus, shorten, unhandledReply } from './problem';

/** The specified form, without settings. */
export const specifiedForm: ErrorForm = Object.freeze({ ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' });

/** A reply, ready to be sent. */
export interface WrittenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON. */
  readonly body: string;
}

/** The most messages. It bounds a reply, whatever the input. */
const maxMessages = 50;
const retryAfterSeconds = '5';

/** The `Vary` header, because `Accept` chooses between `application/json` and `application/problem+json`. */
const vary = 'Accept';

const contentType = { 'content-type': 'application/json; charset=utf-8' };

/** The reply to every 401. It is the same whatever the cause, because a difference would help an attacker. */
const unauthorized: WrittenReply = Object.freeze({
  status: 401,
  headers: Object.freeze({ ...fixedHeaders, ...statusHeaders(401), ...contentType }),
  body: '{"statusCode":401,"message":"Unauthorized"}',
});

/** Returns the headers that RFC 9110 requires for a status, `Retry-After`, and `Vary` because errors have two forms. */
function statusHeaders(status: number): Record<string, string> {
  if (status === 401) return { vary, 'www-authenticate': 'Bearer' };
  return status === 503 || status === 429 ? { vary, 'retry-after': retryAfterSeconds } : { vary };
}

/** The request parts that decide how its error is rendered. */
export interface Requested {
  /** The request id, a UUID, if the request has an id. */
  readonly id?: string;
  /** The `Accept` header. */
  readonly accept?: string;
  /** The path prefix that clients see, if no server hook adds it to the problem type; default empty. */
  readonly pathPrefix?: string;
}

/**
 * Renders the response to an error. It is a problem (RFC 9457) if `Accept` prefers problems. Otherwise it has the application's
 * own form, or the specified form `{statusCode, message, error}`. Fastify adds `Content-Length`.
 *
 * @param reply `undefined` for an unhandled error, for which the caller receives only the request id
 */
export function render(
  reply: ErrorReply | undefined,
  form: ErrorForm,
  { id, accept, pathPrefix = '' }: Requested = {},
): WrittenReply {
  if (prefersProblem(accept)) return renderProblem(reply ?? unhandledReply, form, id, pathPrefix);
  if (reply === undefined) return renderUnhandled(id, form);
  if (form.own) return renderOwn(reply, form, form.own);
  if (reply.status === 401) return unauthorized;
  return { status: reply.status, headers: headersFor(reply), body: JSON.stringify(bodyOf(reply, form)) };
}

function renderProblem(
  reply: ErrorReply,
  form: ErrorForm,
  id: string | undefined,
  pathPrefix: string,
): WrittenReply {
  const status = sentStatus(reply, form);
  const headers = {
    ...headersFor({ ...reply, status }),
    'content-type': 'application/problem+json; charset=utf-8',
  };
  return { status, headers, body: withPrefixedType(JSON.stringify(problemOf(reply, form, id)), pathPrefix) };
}

/** Returns the header fields for a reply in the usual form. */
function headersFor({ status, headers }: ErrorReply): WrittenReply['headers'] {
  if (status === 401) return unauthorized.headers;
  return headers ? { ...headersOf(status), ...lowerCased(headers), ...contentType } : headersOf(status);
}

function renderUnhandled(requestId: string | undefined, { own }: ErrorForm): WrittenReply {
  if (own) {
    const { title: error, code } = problemOfStatus(500);
    const sent = { status: 500, error, code, messages: ['Internal server error'], fields: [], requestId };
    return { status: 500, headers: headersOf(500), body: bodyIn(own, sent) };
  }
  const payload = {
    statusCode: 500,
    message: 'Internal server error',
    error: 'Internal Server Error',
    requestId,
  };
  return { status: 500, headers: headersOf(500), body: JSON.stringify(payload) };
}

/** Renders a reply in the application's own form. A 401 is always the same, whatever its cause. */
function renderOwn(reply: ErrorReply, form: ErrorForm, own: OwnErrors): WrittenReply {
  const status = sentStatus(reply, form);
  const { code } = status === 401 ? UnauthenticatedError.problem : (reply.problem ?? problemOfStatus(status));
  const error = STATUS_CODES[status] ?? 'Error';
  const isMessageless = form.ERROR_MESSAGES === 'off' && typeof reply.message !== 'string';
  const sentences = typeof reply.message === 'string' ? [shorten(reply.message)] : cap(reply.message);
  const messages = status === 401 ? ['Unauthorized'] : isMessageless ? [] : sentences;
  const fields = isMessageless || reply.details === undefined ? [] : capDetails(reply.details);
  const body = bodyIn(own, { status, error, code, messages, fields });
  return { status, headers: headersFor({ ...reply, status }), body };
}

const writers = new WeakMap<ErrorBody, ClosedWriter>();

/** Returns the exposed members of the error as JSON. */
function bodyIn({ body }: OwnErrors, error: SentError): string {
  const write = writers.get(body) ?? closedWriter(body);
  writers.set(body, write);
  return write(body.of(error));
}

/** Adds `Content-Length` to a reply that is sent outside Fastify. */
export function withLength({ status, headers, body }: WrittenReply): WrittenReply {
  return { status, headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` }, body };
}

/** The fixed headers for each status, built once. */
const headersByStatus = new Map<number, Readonly<Record<string, string>>>();

function headersOf(status: number): Readonly<Record<string, string>> {
  const cached = headersByStatus.get(status);
  if (cached) return cached;
  const headers = Object.freeze({ ...fixedHeaders, ...statusHeaders(status), ...contentType });
  headersByStatus.set(status, headers);
  return headers;
}

function bodyOf({ status, message, details }: ErrorReply, form: ErrorForm): object {
  const error = STATUS_CODES[status] ?? 'Error';
  if (typeof message === 'string') return { statusCode: status, message: shorten(message), error };
  if (form.ERROR_MESSAGES === 'off') return withoutMessages(status, error, form);
  if (form.ERROR_SHAPE === 'list' || !details) return { statusCode: status, message: cap(message), error };
  return { statusCode: status, error, details: capDetails(details) };
}

function withoutMessages(statusCode: number, error: string, { ERROR_SHAPE }: ErrorForm): object {
  return ERROR_SHAPE === 'list' ? { statusCode, message: error } : { statusCode, error, details: [] };
}

/** Bounds a list of messages from foreign code. Our libraries bound their own lists. */
function cap(messages: readonly string[]): string[] {
  if (messages.length <= maxMessages) return messages.map(shorten);
  const kept = messages.slice(0, maxMessages - 1).map(shorten);
  return [...kept, `${messages.length - kept.length} more messages were left out`];
}

function capDetails(details: readonly FieldProblems[]): FieldProblems[] {
  let left = maxMessages;
  return details.flatMap(({ field, messages }) => {
    const kept = messages.slice(0, left).map(shorten);
    left -= kept.length;
    return kept.length === 0 ? [] : [{ field: shorten(field), messages: kept }];
  });
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
