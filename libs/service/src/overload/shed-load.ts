import type { ServerResponse } from 'node:http';
import { isProbe, makeRequestId } from '../logs/request-log';
import type { RequestStep } from './dispatcher';
import type { ErrorSending } from '../http/connection-errors';
import { OverloadedError } from '../http/errors';
import type { IngressLog } from '../logs/open-logs';
import type { OverloadDetector } from './overload-detector';
import { prefersProblem } from '../responses/preferred-type';
import { publishRefusal } from './refusals';
import { render, withLength, type WrittenReply } from '../responses/render';

/** The minimum interval between two log lines about overload. */
const logEveryMs = 10_000;

/** The options for sending rejections. */
interface RefusalOptions extends ErrorSending {
  /** Returns the headers that depend on the origin of the page that sent the request. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
}

/**
 * Rejects requests with 503 and `Retry-After` while the program is overloaded. Health routes always respond, because an
 * overloaded program must not be restarted.
 *
 * A rejection must cost far less than a response. It is therefore written before the framework handles the request, and differs
 * only in its id. The log counts rejections instead of writing a line for each.
 *
 * @param detector called with each request
 */
export function shedLoad(
  detector: OverloadDetector,
  log: IngressLog,
  { headersFor, pathPrefix, form }: RefusalOptions,
): RequestStep {
  const countRejected = counterFor(log);
  const usual = withLength(render(overloaded, form));
  return (request, response) => {
    if (!detector.isOverloaded() || isProbe(request.url ?? '')) return false;
    const { accept } = request.headers;
    const isProblem = prefersProblem(accept);
    const headers = headersFor(request.headers.origin);
    sendOverloaded(response, headers, (id) =>
      isProblem ? withLength(render(overloaded, form, { id, accept, pathPrefix })) : usual,
    );
    countRejected();
    publishRefusal(OverloadedError.name);
    return true;
  };
}

const { reply: overloaded } = new OverloadedError();

/** Sends the rejection. Node reads and discards the rest of the request's body, so that the connection can be kept alive. */
function sendOverloaded(
  response: ServerResponse,
  headersOfOrigin: readonly string[],
  makeReply: (requestId: string) => WrittenReply,
): void {
  const id = makeRequestId();
  const { status, headers, body } = makeReply(id);
  const fields = Object.entries(headers).flat();
  response.writeHead(status, ['x-request-id', id, ...fields, ...headersOfOrigin]).end(body);
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
