import type { Server, ServerResponse } from 'node:http';
import { isProbe, makeRequestId } from '../logs/request-log';
import { OverloadedError } from './errors';
import type { IngressLog } from './ingress-log';
import type { OverloadDetector } from './overload';
import { publishRefusal } from './refusals';
import { anyForm, writeErrorReply } from './write-error';

/** Minimum interval between two log lines about overload. */
const logEveryMs = 10_000;

/**
 * Rejects requests with 503 and `Retry-After` while the program is overloaded. Health routes are always answered: an
 * overloaded program must not be restarted.
 *
 * A rejection must cost far less than a response: it is written before the framework handles the request, is always the
 * same except for its id, and the log counts rejections instead of writing a line for each.
 *
 * @param server   with its `request` listeners already added
 * @param detector called with each request
 * @param headersFor headers that depend on the origin of the page which sent the request
 */
export function shedLoad(
  server: Server,
  detector: OverloadDetector,
  log: IngressLog,
  headersFor: (origin: string | undefined) => readonly string[] = () => [],
): void {
  const countRejected = counterFor(log);
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (detector.isOverloaded() && !isProbe(request.url ?? '')) {
      sendOverloaded(response, headersFor(request.headers.origin));
      countRejected();
      publishRefusal(OverloadedError.name);
    } else for (const reply of listeners) Reflect.apply(reply, server, [request, response]);
  });
}

const { status, headers, body } = writeErrorReply(new OverloadedError().reply, anyForm);
const fields = Object.entries(headers).flat();

/** Node reads and discards the rest of the request's body, so that the connection can be kept alive. */
function sendOverloaded(response: ServerResponse, headersOfOrigin: readonly string[]): void {
  response.writeHead(status, ['x-request-id', makeRequestId(), ...fields, ...headersOfOrigin]).end(body);
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
