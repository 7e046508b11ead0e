import type { IncomingMessage } from 'node:http';
import multipart from '@fastify/multipart';
import { type FileRoute, FileRoutes, type RouteHandler, UnknownPathError } from '@app/service';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { receiveFiles, removeFiles } from './receive-files';
import type { UploadStore } from './upload-store';
import { rememberFiles } from './received-files';

/** The first status for which the handler did not succeed. It includes server errors and the caller's errors. */
const firstFailure = 400;
/** An upload's maximum duration. An upload that is slower than the minimum rate ends earlier. */
const uploadTimeoutMs = 60 * 60 * 1000;

/**
 * The routes that receive files. They have their own scope, so that its parser and hooks leave the program's other routes alone.
 */
export class UploadRoutes extends FileRoutes {
  private readonly receiving = new WeakSet<IncomingMessage>();
  private hasRoutes = false;

  constructor(private readonly store: UploadStore) {
    super();
  }

  isUpload(request: IncomingMessage): boolean {
    return this.receiving.has(request);
  }

  add(server: FastifyInstance, original: RouteHandler, route: FileRoute): void {
    if (!this.hasRoutes) this.prepare(server);
    this.hasRoutes = true;
    void server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      await scope.register(multipart);
      // Rejected after the caller was authorized.
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.route({
        method: route.method,
        url: route.path,
        config: {
          ...Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, original),
          isOfController: true,
        },
        handler: (request, reply) => this.handle(route, request, reply),
      });
    });
  }

  private prepare(server: FastifyInstance): void {
    server.server.requestTimeout = uploadTimeoutMs;
    server.addHook('onReady', () => this.store.prepare());
  }

  private async handle(
    { rule, takesFields, authorize, admit, handler }: FileRoute,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    requireParameters(request);
    await authorize?.(request);
    admit?.(request, reply);
    this.receiving.add(request.raw);
    const { files, fields } = await receiveFiles(request, rule, this.store, takesFields);
    const [first = files] = files;
    rememberFiles(request, rule.isList ? files : first);
    request.body = fields;
    await handler(request, reply);
    if (reply.statusCode >= firstFailure) await removeFiles(files, this.store);
  }
}

/** Refuses an empty path parameter, as Nest does. */
function requireParameters({ params, method, originalUrl }: FastifyRequest): void {
  if (Object.values(params ?? {}).includes('')) throw new UnknownPathError(method, originalUrl);
}
