import { STATUS_CODES } from 'node:http';
import type { ErrorReply, FieldProblems } from '@app/http-errors';
import { fixedHeaders } from './fixed-headers';

/** How much a caller is told about input that breaks rules. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
}

/** For errors that are not about rules of input: they look alike in every form. */
export const anyForm: ErrorForm = Object.freeze({ ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' });

/** A reply as it goes over the wire. */
export interface WrittenReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** A reply stays small whatever the input was: these two bound it. */
const maxMessages = 50;
const maxMessageLength = 500;
const retryAfterSeconds = '5';

const contentType = { 'content-type': 'application/json; charset=utf-8' };

/** Whatever the cause: what differs would tell somebody how near they were. */
const unauthorized: WrittenReply = Object.freeze({
  status: 401,
  headers: Object.freeze({ ...fixedHeaders, ...usualHeaders(401), ...contentType }),
  body: '{"statusCode":401,"message":"Unauthorized"}',
});

/** What RFC 9110 wants of a status, and what makes a refusal useful to a client. */
function usualHeaders(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return status === 503 || status === 429 ? { 'retry-after': retryAfterSeconds } : {};
}

/** Writes a reply for a connection: whole, with its length. */
export function writeErrorReply(reply: ErrorReply, form: ErrorForm): WrittenReply {
  return withLength(composeErrorReply(reply, form));
}

/** Writes the reply to an unhandled error: the id of the request, to be found in the log. */
export function writeUnhandled(requestId: string): WrittenReply {
  return withLength(composeUnhandled(requestId));
}

/**
 * Writes a reply in the form of the specification: `{statusCode, message, error}`, and its few exceptions. Its length
 * is left to Fastify, which takes it anyway.
 */
export function composeErrorReply(reply: ErrorReply, form: ErrorForm): WrittenReply {
  const { status, headers } = reply;
  if (status === 401) return unauthorized;
  return {
    status,
    headers: headers ? { ...headersOf(status), ...lowerCased(headers), ...contentType } : headersOf(status),
    body: JSON.stringify(bodyOf(reply, form)),
  };
}

/** As {@link writeUnhandled}, without its length. */
export function composeUnhandled(requestId: string): WrittenReply {
  const told = {
    statusCode: 500,
    message: 'Internal server error',
    error: 'Internal Server Error',
    requestId,
  };
  return { status: 500, headers: headersOf(500), body: JSON.stringify(told) };
}

function withLength({ status, headers, body }: WrittenReply): WrittenReply {
  return { status, headers: { ...headers, 'content-length': `${Buffer.byteLength(body)}` }, body };
}

/** What stands in every reply of a status; each is put together once. */
const known = new Map<number, Readonly<Record<string, string>>>();

function headersOf(status: number): Readonly<Record<string, string>> {
  const found = known.get(status);
  if (found) return found;
  const made = Object.freeze({ ...fixedHeaders, ...usualHeaders(status), ...contentType });
  known.set(status, made);
  return made;
}

function bodyOf({ status, message, details }: ErrorReply, form: ErrorForm): object {
  const error = STATUS_CODES[status] ?? 'Error';
  if (typeof message === 'string') return { statusCode: status, message: shorten(message), error };
  if (form.ERROR_MESSAGES === 'off') return silent(status, error, form);
  if (form.ERROR_SHAPE === 'list' || !details) return { statusCode: status, message: cap(message), error };
  return { statusCode: status, error, details: capDetails(details) };
}

function silent(statusCode: number, error: string, { ERROR_SHAPE }: ErrorForm): object {
  return ERROR_SHAPE === 'list' ? { statusCode, message: error } : { statusCode, error, details: [] };
}

/** The libraries bound their lists themselves; this holds for lists from elsewhere too. */
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

/** A message may hold a name out of the input. Cut between characters, not within one. */
function shorten(text: string): string {
  if (text.length <= maxMessageLength) return text;
  return `${text.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
