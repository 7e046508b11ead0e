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
/** The pattern for client request ids that are logged. They are short and safe for log readers. */
const acceptedRequestId = /^[\w.-]{1,64}$/;

/** The fields of the line for a completed request, in their order. */
interface AccessFields {
  readonly requestId: string;
  /** The client's own `X-Request-Id`, if it is well-formed. */
  readonly clientRequestId?: string;
  readonly method: string;
  /** The redacted path without the query string. */
  readonly path: string;
  /** The declared route, such as `/users/:id`. Absent for an unknown path. */
  readonly route?: string;
  /** The caller's address. Like the user id, it is present only if `LOG_CALLERS` allows it. */
  readonly address?: string;
  readonly userId?: number;
  /** The trace id. Present while the request is traced. */
  readonly traceId?: string;
  readonly status: number;
  readonly durationMs: number;
}

/** Makes a request id. Client ids are not used because they collide and may be chosen to mislead. */
export function makeRequestId(): string {
  return randomUUID();
}

/** The caller data in a log line. `all` adds the address and the user id, `user` adds the user id. */
export type LoggedCallers = 'all' | 'user' | 'off';

/** The options for {@link logRequests}. */
export interface RequestLogOptions {
  /** The throttle for the lines about refused requests. */
  readonly lines?: ThrottledLines;
  /** The caller data to log. Default: `all`. */
  readonly callers?: LoggedCallers;
  /** Returns the trace id of a request. By default, requests have no trace. */
  readonly traceIdOf?: TraceIdOf;
}

type TraceIdOf = (request: FastifyRequest) => string | undefined;

/**
 * Logs a line per completed request, and sends the request's id in `X-Request-Id`. The line has the method, the path without the
 * query string, the route, the caller, the status and the duration. It leaves out bodies and credentials. Requests that are
 * refused with 503 share a line per second with their count. The first request from an untrusted proxy causes a warning.
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
    // A declared route contains nothing to redact.
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

/**
 * Returns whether an untrusted proxy forwards a request. Unless `TRUST_PROXY` is set, Fastify reads no forwarded addresses. If
 * the peer is untrusted, Fastify reads only its own address.
 */
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

/** Returns whether a URL is a health route. Its lines occur every few seconds and would hide the rest of the log. */
export function isProbe(url: string): boolean {
  if (!url.startsWith('/health')) return false;
  const end = url.indexOf('?');
  return probes.has(end === -1 ? url : url.slice(0, end));
}

const probes = new Set(['/health', '/health/live', '/health/ready']);

/** Returns the path in the form that may be recorded: redacted and without the query string. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = url.slice(0, Math.min(end === -1 ? url.length : end, maxPathLength));
  return plainPath.test(path) ? path : redactPath(path);
}

function clientRequestIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && acceptedRequestId.test(header) ? header : undefined;
}
