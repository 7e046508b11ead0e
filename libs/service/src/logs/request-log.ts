import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerFields, AnswerLines } from './answer-lines';
import { answerLinesOf, type Log } from './open-logs';

const maxPathLength = 500;
/** What we repeat of a caller's own id: short, and nothing that a log reader could take for something else. */
const saneId = /^[\w.-]{1,64}$/;

/** What the last digits of a UUID count through before its other ones are drawn anew. */
const lastDigits = Array.from({ length: 16 ** 3 }, (_, at) => at.toString(16).padStart(3, '0'));
let firstDigits = '';
let made = 0;

/**
 * Names a request, by a UUID of which only the last three digits differ from that of the request before: to draw all of
 * them anew costs several times as much. Always our own: ids that callers choose collide, and may be chosen to mislead.
 */
export function makeRequestId(): string {
  const at = made++ % lastDigits.length;
  if (at === 0) firstDigits = randomUUID().slice(0, -3);
  return firstDigits + lastDigits[at];
}

/**
 * Logs a line per request when its answer is through, and tells the caller the request's id in `X-Request-Id`.
 * The line has the method, the path without the query string, the status and the milliseconds; of a body or of
 * credentials it knows nothing.
 */
export function logRequests(server: FastifyInstance, log: Log): void {
  const write = answerLinesOf(log);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    // What was aborted is logged when that happens; an answer may still be made for it, for nobody.
    if (!request.raw.aborted) logAnswer(log, write, request, reply);
    done();
  });
  server.addHook('onRequestAbort', (request, done) => {
    log.debug(fieldsOf(request), 'the caller went away');
    done();
  });
}

function logAnswer(log: Log, write: AnswerLines, request: FastifyRequest, reply: FastifyReply): void {
  const level = levelOf(request.url, reply.statusCode);
  if (!log.isLevelEnabled(level)) return;
  const durationMs = Math.round(reply.elapsedTime * 100) / 100;
  write(level, { ...fieldsOf(request), status: reply.statusCode, durationMs });
}

function levelOf(url: string, status: number): 'debug' | 'info' | 'error' {
  if (isProbe(url)) return 'debug';
  return status >= 500 ? 'error' : 'info';
}

function fieldsOf(request: FastifyRequest): Omit<AnswerFields, 'status' | 'durationMs'> {
  return {
    requestId: request.id,
    callersId: callersOwnId(request.headers['x-request-id']),
    method: request.method,
    path: pathOf(request.url),
  };
}

/** Asked every few seconds by machines: their lines would bury the others. */
export function isProbe(url: string): boolean {
  return url.startsWith('/health');
}

/** A query string may carry anything, tokens too. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return url.slice(0, Math.min(end === -1 ? url.length : end, maxPathLength));
}

function callersOwnId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && saneId.test(given) ? given : undefined;
}
