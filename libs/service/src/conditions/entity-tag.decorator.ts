import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ownHook } from '../routes/own-hooks';
import { entityTagOf, listsTag, versionTagOf } from './entity-tag';

/** The rule by which a route's entity tag is made. */
export interface EntityTagRule {
  /**
   * The member of the handler's result that changes with each change, such as a version column. A 304 is then sent without
   * writing the body. Default: the tag is made from the written bytes.
   */
  readonly version?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    entityTag?: EntityTagRule;
  }
}

/**
 * Sends an `ETag` with a route's successful responses. A GET with an `If-None-Match` that lists the tag gets a 304 without a
 * body. Clients may keep the response but ask each time whether it has changed (`Cache-Control: private, no-cache`).
 */
export function ETag(rule: EntityTagRule = {}): MethodDecorator {
  return (_target, _name, descriptor: PropertyDescriptor) => {
    const handler: object = descriptor.value;
    const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, entityTag: rule }, handler);
  };
}

/** Returns the {@link ETag} rule of a handler (the method itself). */
export function entityTagRuleOf(handler: object): EntityTagRule | undefined {
  const config: { entityTag?: EntityTagRule } | undefined = Reflect.getMetadata(
    FASTIFY_ROUTE_CONFIG_METADATA,
    handler,
  );
  return config?.entityTag;
}

/** Adds entity tags to the routes that declare them, and leaves every other route unchanged. Call it before `init`. */
export function sendEntityTags(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const rule = route.config?.entityTag;
    if (rule === undefined) return;
    const { version } = rule;
    if (version !== undefined)
      route.preSerialization = [versionHook(version), ...[route.preSerialization ?? []].flat()];
    route.onSend = [ownHook(tagWritten), ...[route.onSend ?? []].flat()];
  });
}

type Done = (error: Error | null, payload?: unknown) => void;

/** Makes a hook that sets the tag before the body is written, because a 304 needs no body. */
function versionHook(member: string) {
  return ownHook((request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    if (isSuccess(reply) && typeof payload === 'object' && payload !== null) {
      tag(request, reply, versionTagOf(payload, member));
      if (reply.statusCode === notModified) reply.serializer(() => '');
    }
    done(null, payload);
  });
}

function tagWritten(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (isText && isSuccess(reply) && !reply.hasHeader('etag')) tag(request, reply, entityTagOf(payload));
  if (reply.statusCode !== notModified) return done(null, payload);
  void reply.removeHeader('content-type').removeHeader('content-length');
  // The framework measures the body of HEAD.
  done(null, request.method === 'HEAD' ? '' : null);
}

const notModified = 304;

function isSuccess({ statusCode }: FastifyReply): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function tag({ method, headers }: FastifyRequest, reply: FastifyReply, value: string): void {
  void reply.header('ETag', value).header('Cache-Control', 'private, no-cache');
  const isRead = method === 'GET' || method === 'HEAD';
  const ifNoneMatch = headers['if-none-match'];
  if (isRead && ifNoneMatch !== undefined && listsTag(ifNoneMatch, value)) void reply.code(notModified);
}
