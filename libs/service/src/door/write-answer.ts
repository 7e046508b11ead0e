import { STATUS_CODES } from 'node:http';
import type { Answer, FieldProblems } from './answer';
import { fixedHeaders } from './fixed-headers';

/** How much a caller is told about input that breaks rules. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
}

/** For errors that are not about rules of input: they look alike in every form. */
export const anyForm: ErrorForm = Object.freeze({ ERROR_SHAPE: 'list', ERROR_MESSAGES: 'on' });

/** An answer as it goes over the wire. */
export interface WrittenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** An answer stays small whatever the input was: these two bound it. */
const maxMessages = 50;
const maxMessageLength = 500;
const retryAfterSeconds = '5';

const unauthorized = { statusCode: 401, message: 'Unauthorized' };

/** Writes an answer in the form of the specification: `{statusCode, message, error}`, and its few exceptions. */
export function writeAnswer(answer: Answer, form: ErrorForm): WrittenAnswer {
  const { status, headers } = answer;
  return write(status, bodyOf(answer, form), status === 401 ? undefined : headers);
}

/** Writes what a caller learns of an error that nobody foresaw: a name to ask the log about. */
export function writeUnexpected(requestId: string): WrittenAnswer {
  return write(500, {
    statusCode: 500,
    message: 'Internal server error',
    error: 'Internal Server Error',
    requestId,
  });
}

function write(status: number, fields: object, headers?: Answer['headers']): WrittenAnswer {
  const body = JSON.stringify(fields);
  const type = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
  };
  return {
    status,
    headers: { ...fixedHeaders, ...usualHeaders(status), ...lowerCased(headers), ...type },
    body,
  };
}

/** What RFC 9110 wants of a status, and what makes a refusal useful to a client. */
function usualHeaders(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return status === 503 || status === 429 ? { 'retry-after': retryAfterSeconds } : {};
}

function bodyOf({ status, message, details }: Answer, form: ErrorForm): object {
  if (status === 401) return unauthorized;
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

function lowerCased(headers: Answer['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
