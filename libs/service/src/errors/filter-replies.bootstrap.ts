import type { INestApplication } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { beforeFilters } from '../routes/nest.discovery.internals';

/**
 * Lets replies of an application's exception filters bypass the route's serializer, which would strip them to the fields of
 * the class that the route declares.
 *
 * @param app before `init`
 */
export function bypassSerializerInFilters(app: INestApplication): void {
  beforeFilters(app, (reply) => bypassSerializer(Object(reply)));
}

/** In a middleware there is neither a Fastify reply nor a route yet. */
function bypassSerializer(reply: FastifyReply | { readonly serializer?: undefined }): void {
  if (reply.serializer === undefined) return;
  reply.serializer((body: unknown) => {
    if (typeof body === 'string') return body;
    if (!reply.hasHeader('content-type')) void reply.type('application/json; charset=utf-8');
    return JSON.stringify(body);
  });
}
