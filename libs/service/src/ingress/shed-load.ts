import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isProbe, makeRequestId } from '../logs/request-log';
import { OverloadedError } from './errors';
import type { IngressLog } from './ingress-log';
import type { OverloadDetector } from './overload';
import { prefersProblem } from './preferred-type';
import { publishRefusal } from './refusals';
import { anyForm, writeErrorReply } from './write-error';
import { writeProblem } from './write-problem';

/** Minimum interval between two log lines about overload. */
const logEveryMs = 10_000;

/** What a rejection depends on. */
interface RefusalOptions {
  /** Headers that depend on the origin of the page which sent the request. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** How paths begin for clients. */
  readonly pathPrefix: string;
}

/**
 * Rejects requests with 503 and `Retry-After` while the program is overloaded. Health routes are always answered: an
 * overloaded program must not be restarted.
 *
 * A rejection must cost far less than a response: it is written before the framework handles the request, is always the
 * same except for its id, and the log counts rejections instead of writing a line for each.
 *
 * @param server   with its `request` listeners already added
 * @param detector called with each request
 */
export function shedLoad(
  server: Server,
  detector: OverloadDetector,
  log: IngressLog,
  { headersFor, pathPrefix }: RefusalOptions,
): void {
  const countRejected = counterFor(log);
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (detector.isOverloaded() && !isProbe(request.url ?? '')) {
      sendOverloaded(request, response, headersFor(request.headers.origin), pathPrefix);
      countRejected();
      publishRefusal(OverloadedError.name);
    } else for (const reply of listeners) Reflect.apply(reply, server, [request, response]);
  });
}

const { reply: overloaded } = new OverloadedError();
const usual = writeErrorReply(overloaded, anyForm);
const usualFields = Object.entries(usual.headers).flat();

/** Node reads and discards the rest of the request's body, so that the connection can be kept alive. */
function sendOverloaded(
  { headers: { accept } }: IncomingMessage,
  response: ServerResponse,
  headersOfOrigin: readonly string[],
  pathPrefix: string,
): void {
  const id = makeRequestId();
  const written = prefersProblem(accept) ? writeProblem(overloaded, anyForm, id, pathPrefix) : usual;
  const fields = written === usual ? usualFields : Object.entries(written.headers).flat();
  response.writeHead(written.status, ['x-request-id', id, ...fields, ...headersOfOrigin]).end(written.body);
}

function counterFor(log: IngressLog): () => void {
  let loggedAt = -Infinity;
  let rejected = 0;
  return () => {
    rejected++;
    if (performance.now() - loggedAt < logEveryMs) return;
    log.warn({ rejected }, 'overloaded');
    loggedAt = performance.now();
    rejected = 0;
  };
}
