import type { INestApplicationContext } from '@nestjs/common';
import type { ExceptionsHandler } from '@nestjs/core/exceptions/exceptions-handler.js';
import { RouterExceptionFilters } from '@nestjs/core/router/router-exception-filters.js';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

/*
 * Private members of NestJS 12.5: the application's `routesResolver`, `createHandleResponseFn`, which sends streams, and
 * `RouteParamsFactory`, which reads arguments. NestJS has no public way to tell its own routes from those of modules, to see an error before
 * its filters, or to send a stream and read arguments outside of its router.
 * Gain: compiled routes; `npm run bench` compares their CPU per request with that of NestJS (benchmarks/results.md). Without a member a program does not start, and the
 * error names it.
 */

type Respond = (body: unknown, reply: unknown, request: unknown) => Promise<unknown>;
type MakeChain = (...route: Parameters<RouterExceptionFilters['create']>) => ExceptionsHandler;

/** The part of Nest that registers an application's routes. */
interface RoutesResolver {
  resolve: (...args: unknown[]) => unknown;
  registerResolvedRoute: (...args: unknown[]) => unknown;
  readonly routerExceptionsFilter: { create: MakeChain };
}

/** Calls back around each registration of routes by NestJS itself. Call it before `init`. */
export function aroundRegistration(
  app: INestApplicationContext,
  around: (register: () => unknown) => unknown,
): void {
  const resolver = resolverOf(app);
  for (const method of ['resolve', 'registerResolvedRoute'] as const) {
    const register = resolver[method].bind(resolver);
    resolver[method] = (...args) => around(() => register(...args));
  }
}

/** Calls back with the reply before the exception filters of a route run. Call it before `init`. */
export function beforeFilters(app: INestApplicationContext, call: (reply: unknown) => void): void {
  const chains = resolverOf(app).routerExceptionsFilter;
  const create = chains.create.bind(chains);
  chains.create = (...route) => {
    const chain = create(...route);
    const next = chain.next.bind(chain);
    chain.next = (error, host) => {
      call(host.getArgByIndex(1));
      next(error, host);
    };
    return chain;
  };
}

/** Returns the function that sends a handler's result as NestJS does: observables, generators, streams. */
export function responderOf(adapter: object, handler: Function): Respond {
  const nothing = Array.from({ length: 7 });
  const context: RouterExecutionContext = Reflect.construct(RouterExecutionContext, [...nothing, adapter]);
  const respond: Function = context.createHandleResponseFn(Object(handler), false);
  return async (...args) => Reflect.apply(respond, undefined, args);
}

const ofNest = new RouteParamsFactory();

/** Reads the arguments that the decorators of NestJS name. */
export const parametersOfNest = {
  exchangeKeyForValue: (kind: number, data: string, [req, res]: [FastifyRequest, FastifyReply]): unknown =>
    ofNest.exchangeKeyForValue(kind, data, { req, res, next: () => undefined }),
};

function resolverOf(app: INestApplicationContext): RoutesResolver {
  const resolver: unknown = Reflect.get(app, 'routesResolver');
  if (isResolver(resolver)) return resolver;
  throw new TypeError(
    'this version of NestJS has its RoutesResolver elsewhere: update nest.discovery.internals.ts',
  );
}

function isResolver(resolver: unknown): resolver is RoutesResolver {
  const { resolve, registerResolvedRoute, routerExceptionsFilter }: Partial<RoutesResolver> =
    Object(resolver);
  return (
    typeof resolve === 'function' &&
    typeof registerResolvedRoute === 'function' &&
    routerExceptionsFilter instanceof RouterExceptionFilters
  );
}
