import type { IncomingHttpHeaders } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { checkBodyHeaders } from '../../ingress/body-headers';
import { rejectExpectation } from '../../ingress/connection-errors';
import { fixedHeaders } from '../../ingress/fixed-headers';
import { inspectRequest } from '../../ingress/inspect-request';
import { readJson } from '../../ingress/read-json';

/**
 * Puts up what every request passes before a handler hears of it: the look at headers and target, the JSON reader as
 * the only one, the fixed headers. What these refuse is answered by the program's filters, as errors of handlers are.
 *
 * To be called before the program is initialised, on one made with `fastifyOptions()` and `bodyParser: false`.
 */
export function installIngress(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(fixedHeaders);
    inspectRequest(request.raw);
    done();
  });
  // The guard's field. If only some requests had it, the engine would know two kinds of them, and be slower with both.
  server.decorateRequest('user');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, request.is404 ? undefined : readBody(request.headers, body));
  });
  server.server.on('checkExpectation', rejectExpectation);
}

function readBody(headers: IncomingHttpHeaders, body: Buffer): unknown {
  checkBodyHeaders(headers);
  return readJson(body);
}
