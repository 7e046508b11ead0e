import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { checkBodyHeaders } from './body/body-headers';
import { type ErrorSending, rejectExpectation } from './connection-errors';
import { specifiedForm } from '../responses/render';
import { fixedHeaders } from '../responses/fixed-headers';
import { OwnPrefix } from './own-prefix';
import { UnknownPathError } from './errors';
import { checkHead } from './inspect-request';
import { readBody } from './body/received-bytes';
import { stepForFastify } from '../routes/own-hooks';

/**
 * Installs the stages before every handler: the check of headers and target, the JSON parser as the only body parser,
 * the fixed response headers. The responses to rejected requests come from the program's filters, like errors of
 * handlers.
 *
 * To be called before `init`, on a program created with `fastifyOptions()` and `bodyParser: false`.
 *
 * @param sending how errors are sent
 * @param own that the program removes from paths; a request without it is one for an unknown path
 * @param onOptions called with each `OPTIONS` request; in the hook of the ingress, as one more hook costs every request
 */
export function installIngress(
  app: NestFastifyApplication,
  sending: ErrorSending = { pathPrefix: '', form: specifiedForm },
  own = new OwnPrefix(''),
  onOptions: (request: FastifyRequest) => void = () => undefined,
): void {
  const server = app.getHttpAdapter().getInstance();
  const inspect: onRequestHookHandler = (request, reply, done) => {
    void reply.headers(fixedHeaders);
    checkHead(request.raw);
    if (own.isOutside(request.raw)) throw new UnknownPathError(request.method, request.originalUrl);
    if (request.method === 'OPTIONS') onOptions(request);
    done();
  };
  server.addHook('onRequest', stepForFastify(inspect));
  // Set by the guard. Declared here so that all requests have the same hidden class.
  server.decorateRequest('user');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (request.is404) return done(null, undefined);
    checkBodyHeaders(request.headers);
    done(null, readBody(request, body));
  });
  server.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    rejectExpectation(request, response, sending),
  );
}
