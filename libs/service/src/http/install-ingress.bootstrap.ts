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
 * Installs the stages before every handler: the check for headers and target, the JSON parser as the only body parser, and the
 * fixed response headers. The program's filters render rejected requests in the same way as handler errors.
 *
 * Call it before `init`, on a program created with `fastifyOptions()` and `bodyParser: false`.
 *
 * @param sending the options for sending errors
 * @param own the prefix that the program removes from paths; a request without it gets the reply for an unknown path
 * @param onOptions called with each `OPTIONS` request, within the ingress hook because an additional hook costs every request
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
  // The guard sets the caller. It is declared here so that all requests have the same hidden class.
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
