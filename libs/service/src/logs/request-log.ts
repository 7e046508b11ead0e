import { randomUUID } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAbortHookHandler,
  onRequestHookHandler,
  onResponseHookHandler,
} from 'fastify';
import { ThrottledLines } from './throttled-lines';
import { accessLogOf, type Log } from './open-logs';
import { plainPath, redactPath } from './redact';
import { ownHook, stepForFastify } from '../routes/own-hooks';

const maxPathLength = 500;
/** A client's id is logged only if it is short and contains nothing that a log reader could misinterpret. */
const acceptedRequestId = /^[\w.-]{1,64}$/;

/** The fields of the line that is logged when a request is completed, in their order. */
interface AccessFields {
  readonly requestId: string;
  /** The client's own `X-Request-Id`, if it is well-formed. */
  readonly clientRequestId?: string;
  readonly method: string;
  /** Without the query string, and redacted. */
  readonly path: string;
  /** As declared, such as `/users/:id`; none for an unknown path. */
  readonly route?: string;
  /** The caller's address, and the id of the user if there is one; as `LOG_CALLERS` allows. */
  readonly address?: string;
  readonly userId?: number;
  /** While the request is traced. */
  readonly traceId?: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Makes the id of a request. Clients' own ids are not used: they collide, and may be chosen to mislead. */
export function makeRequestId(): string {
  return randomUUID();
}

/** What of the caller a line has: the id of the user, and the address with `all`. */
export type LoggedCallers = 'all' | 'user' | 'off';

/** Options of {@link logRequests}. */
export interface RequestLogOptions {
  /** Gathers the lines of refused requests. */
  readonly lines?: ThrottledLines;
  /** Default `all`. */
  readonly callers?: LoggedCallers;
  /** The trace of a request; default none. */
  readonly traceIdOf?: TraceIdOf;
}

type TraceIdOf = (request: FastifyRequest) => string | undefined;

/**
 * Logs one line per completed request, and sends the request's id in `X-Request-Id`. The line has the method, the path
 * without the query string, the route, the caller, the status and the duration; no body and no credentials. Requests that are refused with 503 have
 * one line a second, with their count. The first request that an untrusted proxy forwards causes a warning.
 */
export function logRequests(
  server: FastifyInstance,
  log: Log,
  { lines = new ThrottledLines(), callers = 'all', traceIdOf = () => undefined }: RequestLogOptions = {},
): void {
  const accessLog = accessLogOf(log);
  let hasWarned = false;
  const logCompleted: onResponseHookHandler = (request, reply, done) => {
    if (!hasWarned && isOfUntrustedProxy(request)) {
      hasWarned = true;
      const address = callers === 'all' ? request.socket.remoteAddress : undefined;
      log.warn(
        { address },
        'untrusted proxy: all clients behind it share its address and its limits. Set TRUST_PROXY to its address, unless a client sent X-Forwarded-For itself',
      );
    }
    // An aborted request was logged when it was aborted, although its handler may still respond.
    if (!request.raw.aborted) logResponse(log, accessLog, request, reply, lines, callers, traceIdOf(request));
    done();
  };
  const logAborted: onRequestAbortHookHandler = (request, done) => {
    log.debug(fieldsOf(request), 'client aborted request');
    done();
  };
  server.addHook('onRequest', stepForFastify(sendId));
  server.addHook('onResponse', ownHook(logCompleted));
  server.addHook('onRequestAbort', ownHook(logAborted));
}

const sendId: onRequestHookHandler = (request, reply, done) => {
  reply.header('X-Request-Id', request.id);
  done();
};

function logResponse(
  log: Log,
  accessLog: Log,
  request: FastifyRequest,
  reply: FastifyReply,
  lines: ThrottledLines,
  callers: LoggedCallers,
  traceId: string | undefined,
): void {
  const level = levelOf(request.url, reply.statusCode);
  if (!log.isLevelEnabled(level)) return;
  const { url: route } = request.routeOptions;
  const fields: AccessFields = {
    requestId: request.id,
    clientRequestId: clientRequestIdOf(request.headers['x-request-id']),
    method: request.method,
    // What was declared has nothing to redact.
    path: request.url === route ? route : pathOf(request.url),
    route,
    address: callers === 'all' ? request.ip : undefined,
    userId: callers === 'off' ? undefined : userIdOf(request),
    traceId,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 100) / 100,
  };
  const write = (counted: object) => accessLog[level](counted, 'request completed');
  if (reply.statusCode !== 503) write(fields);
  else lines.add(`503 ${level}`, (count) => write(count > 1 ? { ...fields, count } : fields));
}

/** Without `TRUST_PROXY` Fastify reads no addresses; with it, those of an untrusted peer are the peer's alone. */
function isOfUntrustedProxy({ headers, ips }: FastifyRequest): boolean {
  if (ips === undefined)
    return Boolean(headers['x-forwarded-for'] ?? headers.forwarded ?? headers['x-real-ip']);
  return Boolean(headers['x-forwarded-for']) && ips.length < 2;
}

function userIdOf({ user }: FastifyRequest & { readonly user?: unknown }): number | undefined {
  const isKnown = typeof user === 'object' && user !== null && 'userId' in user;
  return isKnown && typeof user.userId === 'number' ? user.userId : undefined;
}

function levelOf(url: string, status: number): 'debug' | 'info' | 'error' {
  if (isProbe(url)) return 'debug';
  return status >= 500 ? 'error' : 'info';
}

function fieldsOf(request: FastifyRequest): Omit<AccessFields, 'status' | 'durationMs'> {
  return {
    requestId: request.id,
    clientRequestId: clientRequestIdOf(request.headers['x-request-id']),
    method: request.method,
    path: pathOf(request.url),
  };
}

/** Health routes are requested every few seconds: their lines would hide the others. */
export function isProbe(url: string): boolean {
  if (!url.startsWith('/health')) return false;
  const end = url.indexOf('?');
  return probes.has(end === -1 ? url : url.slice(0, end));
}

const probes = new Set(['/health', '/health/live', '/health/ready']);

/** The path as it may be recorded: without the query string and redacted. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = url.slice(0, Math.min(end === -1 ? url.length : end, maxPathLength));
  return plainPath.test(path) ? path : redactPath(path);
}

function clientRequestIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && acceptedRequestId.test(given) ? given : undefined;
}
