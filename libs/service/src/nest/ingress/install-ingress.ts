import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { checkBodyHeaders } from '../../ingress/body-headers';
import { rejectExpectation } from '../../ingress/connection-errors';
import { fixedHeaders } from '../../ingress/fixed-headers';
import { withoutPorts } from '../../ingress/forwarded-for';
import { inspectRequest } from '../../ingress/inspect-request';
import { readJson } from '../../ingress/read-json';

/**
 * Installs the stages before every handler: the check of headers and target, the JSON parser as the only body parser,
 * the fixed response headers. Requests that these reject are answered by the program's filters, like errors of
 * handlers.
 *
 * To be called before `init`, on a program created with `fastifyOptions()` and `bodyParser: false`.
 *
 * @param pathPrefix how paths begin for clients
 * @param onOptions called with each `OPTIONS` request; in the hook of the ingress, as one more hook costs every request
 */
export function installIngress(
  app: NestFastifyApplication,
  pathPrefix = '',
  onOptions: (request: FastifyRequest) => void = () => undefined,
): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers(fixedHeaders);
    inspectRequest(request.raw);
    const { headers } = request.raw;
    const forwardedFor = headers['x-forwarded-for'];
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = withoutPorts(forwardedFor);
    if (request.method === 'OPTIONS') onOptions(request);
    done();
  });
  // Set by the guard. Declared here so that all requests have the same hidden class.
  server.decorateRequest('user');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    done(null, request.is404 ? undefined : readBody(request.headers, body));
  });
  server.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    rejectExpectation(request, response, pathPrefix),
  );
}

function readBody(headers: IncomingHttpHeaders, body: Buffer): unknown {
  checkBodyHeaders(headers);
  return readJson(body);
}
