import type { FastifyInstance, RouteOptions } from 'fastify';
import { type Writer, writerOf, writeUndeclared } from '../writer';
import type { RouteAnswer } from './answers';

/**
 * Makes every route of a server send what its `@Answers` declares, and a route without one send instances by the
 * rules of their class. The work is bound to each route once, when it is registered: no interceptor runs, and no
 * metadata is read per request.
 *
 * Only objects and other JSON values sent with a 2xx are written here. Errors, strings, buffers, streams and empty
 * answers leave as the framework sends them.
 *
 * @param fastify the server, before its routes are registered: before `app.init()`
 * @throws OpenWireClassError while routes are registered, for a class that would send more than it says
 */
export function bindSerialization(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', bindWriter);
}

function bindWriter(route: RouteOptions): void {
  const answer = route.config?.answer;
  const { schema } = route;
  if (schema?.response !== undefined) {
    if (answer)
      throw new TypeError(`${String(route.method)} ${route.url} has both @Answers and a response schema.`);
    return;
  }
  const write = writerFor(answer);
  route.schema = { ...schema, response: { '2xx': {} } };
  route.serializerCompiler = () => write;
}

function writerFor(answer: RouteAnswer | undefined): Writer {
  return answer ? writerOf(answer.type, answer.options) : writeUndeclared;
}
