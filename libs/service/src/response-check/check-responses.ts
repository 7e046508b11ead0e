import { type Exchange, loadResponseCheck, type OpenApiDocument } from '@app/contract';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { ThrottledLines } from '../logs/throttled-lines';
import { ownHook } from '../routes/own-hooks';
import { type UndescribedResponse, undescribedResponses } from './undescribed-responses';

/** The parts of a program that the check of responses needs. */
interface CheckedProgram {
  /** Checks a response in this many. */
  readonly every: number;
  readonly document: () => OpenApiDocument;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly lines: ThrottledLines;
}

type Done = (error: Error | null, payload?: unknown) => void;

/**
 * Checks responses against the document after they were handed over to be sent, so that it changes no response. Streams are left
 * out. Call it before `init`.
 */
export async function checkResponses(
  server: Pick<FastifyInstance, 'addHook'>,
  { every, document, log, lines }: CheckedProgram,
): Promise<void> {
  const load = await loadResponseCheck();
  let check: ((exchange: Exchange) => void) | undefined;
  let responses = 0;

  const report = (exchange: Exchange, route: string): void => {
    try {
      check ??= load(document());
      check(exchange);
    } catch (error) {
      const { method, status } = exchange;
      // The parser of JSON would quote the body.
      const problem = error instanceof SyntaxError ? 'the body is not JSON' : String(error);
      const response: UndescribedResponse = { method, route };
      undescribedResponses.publish(response);
      lines.add('undescribed response', (count) =>
        log.warn({ method, route, status, problem, count }, 'a response does not match the OpenAPI document'),
      );
    }
  };

  const sample = ownHook(
    (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
      done(null, payload);
      responses = (responses + 1) % every;
      if (responses === 0 && isWhole(payload))
        setImmediate(report, exchangeOf(request, reply, payload), request.routeOptions.url ?? 'none');
    },
  );
  server.addHook('onRoute', (route: RouteOptions) => {
    route.onSend = [...[route.onSend ?? []].flat(), sample];
  });
}

type Whole = string | Buffer | null | undefined;

function isWhole(payload: unknown): payload is Whole {
  return typeof payload === 'string' || Buffer.isBuffer(payload) || payload === undefined || payload === null;
}

function exchangeOf({ method, url }: FastifyRequest, reply: FastifyReply, payload: Whole): Exchange {
  return {
    method,
    path: url,
    status: reply.statusCode,
    contentType: String(reply.getHeader('content-type') ?? ''),
    text: String(payload ?? ''),
    headers: Object.keys(reply.getHeaders()),
  };
}
