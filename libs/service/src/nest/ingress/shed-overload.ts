import type { Server, ServerResponse } from 'node:http';
import { OverloadedError } from '../../ingress/errors';
import type { OverloadDetector } from '../../ingress/overload';
import { anyForm, writeErrorReply } from '../../ingress/write-error';
import { isProbe, makeRequestId } from '../../logs/request-log';
import type { IngressLog } from './error.filter';

/** How often at most the log hears of it. */
const tellEveryMs = 10_000;

/**
 * ErrorResponses requests with 503 and `Retry-After` while there are more than can be answered in time. Health is always
 * answered: a program that is busy is not to be started anew.
 *
 * A refusal must cost far less than a reply, or nothing is won by it: it is written before the framework hears of the
 * request, always the same but for its id, and the log counts refusals instead of telling each.
 *
 * @param server   with the listener that answers its requests
 * @param pressure asked with each request
 */
export function shedOverload(server: Server, pressure: OverloadDetector, log: IngressLog): void {
  const tell = counterFor(log);
  const answering = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (pressure.isTooHigh() && !isProbe(request.url ?? '')) {
      sendOverloaded(response);
      tell();
    } else for (const reply of answering) Reflect.apply(reply, server, [request, response]);
  });
}

const { status, headers, body } = writeErrorReply(new OverloadedError().reply, anyForm);
const fields = Object.entries(headers).flat();

/** What is still to come of the request's body is read and forgotten by Node, so that the connection can be kept. */
function sendOverloaded(response: ServerResponse): void {
  response.writeHead(status, ['x-request-id', makeRequestId(), ...fields]).end(body);
}

function counterFor(log: IngressLog): () => void {
  let toldAt = -Infinity;
  let refused = 0;
  return () => {
    refused++;
    if (performance.now() - toldAt < tellEveryMs) return;
    log.warn({ refused }, 'more requests than can be answered in time: some are refused');
    toldAt = performance.now();
    refused = 0;
  };
}
