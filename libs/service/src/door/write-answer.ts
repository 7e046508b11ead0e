import { STATUS_CODES } from 'node:http';
import type { Answer, FieldProblems } from './answer';
import { fixedHeaders } from './fixed-headers';

/** How much a caller is told about input that breaks rules. */
export interface ErrorForm {
  readonly ERROR_SHAPE: 'list' | 'details';
  readonly ERROR_MESSAGES: 'on' | 'off';
}

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

function write(status: number, body: object, headers?: Answer['headers']): WrittenAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const all = { ...fixedHeaders, ...usualHeaders(status), ...lowerCased(headers), ...type };
  return { status, headers: all, body: JSON.stringify(body) };
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
  return { statusCode: status, error, details: details.slice(0, maxMessages).map(boundProblems) };
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

function boundProblems({ field, messages }: FieldProblems): FieldProblems {
  return { field: shorten(field), messages: cap(messages) };
}

/** A message may hold a name out of the input. Cut between characters, not within one. */
function shorten(text: string): string {
  if (text.length <= maxMessageLength) return text;
  return `${text.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

function lowerCased(headers: Answer['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
