import { checkDeprecation, type Deprecation, deprecationFields } from '@app/contract';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { callerOf } from '../rate-limit/caller-of';
import { ownHook } from '../routes/own-hooks';
import { type DeprecatedCall, deprecatedCalls } from './deprecated-calls';

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecation?: Deprecation;
  }
}

/**
 * Deprecates a handler, or each handler of a class: `@Deprecated({ since: '2026-11-01', sunset: '2027-05-01' })`. Its responses have
 * the fields `Deprecation` and `Sunset`, and with `see` a `Link`. The route still works after its sunset, until you remove it.
 *
 * @throws TypeError for an invalid day or URL
 */
export function Deprecated(deprecation: Deprecation): ClassDecorator & MethodDecorator {
  checkDeprecation(deprecation);
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor) => {
    const handlers: unknown[] = descriptor ? [descriptor.value] : handlersOf(target);
    for (const handler of handlers.map(Object)) {
      const config: object | undefined = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler);
      Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { deprecation, ...config }, handler);
    }
  };
}

function handlersOf(controller: object): unknown[] {
  const prototype: object = Reflect.get(controller, 'prototype');
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }): unknown => value)
    .filter((member) => typeof member === 'function' && Reflect.hasMetadata(METHOD_METADATA, member));
}

/** Returns the {@link Deprecated} rule of a handler (the method itself). */
export function deprecationOf(handler: object): Deprecation | undefined {
  const config: { deprecation?: Deprecation } | undefined = Reflect.getMetadata(
    FASTIFY_ROUTE_CONFIG_METADATA,
    handler,
  );
  return config?.deprecation;
}

/** Adds the fields to deprecated routes, and leaves every other route unchanged. Call it before `init`. */
export function announceDeprecations(server: Pick<FastifyInstance, 'addHook'>): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    const deprecation = route.config?.deprecation;
    if (deprecation === undefined) return;
    const { Link, ...fields } = deprecationFields(deprecation);
    const announce = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
      void reply.headers(fields);
      if (Link !== undefined) void reply.header('Link', joined(reply.getHeader('link'), Link));
      publishCall(request);
      done(null, payload);
    };
    route.onSend = [ownHook(announce), ...[route.onSend ?? []].flat()];
  });
}

type Done = (error: Error | null, payload?: unknown) => void;

function joined(before: unknown, link: string): string {
  return typeof before === 'string' ? `${before}, ${link}` : link;
}

function publishCall(request: FastifyRequest & { readonly user?: unknown }): void {
  if (!deprecatedCalls.hasSubscribers) return;
  const { method } = request;
  const caller = request.user === undefined ? 'anonymous' : callerOf(request);
  const call: DeprecatedCall = { method, route: request.routeOptions.url ?? 'none', caller };
  deprecatedCalls.publish(call);
}
