import type { INestApplication } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { beforeFilters } from '../routes/nest.discovery.internals';

/**
 * Lets replies from an application's exception filters bypass the route's serializer. Otherwise the serializer would strip them
 * to the fields of the class that the route declares.
 *
 * @param app the program, before `init`
 */
export function bypassSerializerInFilters(app: INestApplication): void {
  beforeFilters(app, (reply) => bypassSerializer(Object(reply)));
}

/** Makes a reply write its body as JSON. In a middleware, the Fastify reply and the route do not exist yet. */
function bypassSerializer(reply: FastifyReply | { readonly serializer?: undefined }): void {
  if (reply.serializer === undefined) return;
  reply.serializer((body: unknown) => {
    if (typeof body === 'string') return body;
    if (!reply.hasHeader('content-type')) void reply.type('application/json; charset=utf-8');
    return JSON.stringify(body);
  });
}
