import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/internal';
import type { Facet, Requirement } from '../facets/facet';
import { routeFacets } from '../facets/route-facets';
import type { wideScopes } from './scopes';

/** A handler or a controller class. */
export type Decorated = Function;

export const PUBLIC_KEY = Symbol('sluice.public');
export const STRATEGY_KEY = Symbol('sluice.strategy');
export const ROLES_KEY = Symbol('sluice.roles');
export const SCOPES_KEY = Symbol('sluice.scopes');

/** The decorators of a handler and its controller; the handler's override the class's. */
export interface RouteRules {
  readonly isPublic: boolean;
  /** Names, in the order in which they run; `undefined` means the default strategy. */
  readonly strategies: readonly string[] | undefined;
  /** One of these is required; `undefined` means none. */
  readonly roles: readonly string[] | undefined;
  /** What else the caller must meet. */
  readonly facets: readonly Requirement[];
  /** A caller who is restricted to scopes needs all of these. Default: `read` for GET and HEAD, `write` for other methods. */
  readonly scopes: readonly string[];
}

/** Reads the rules of one route from its metadata; slow, so once per route and not per request. */
export function routeRules(handler: Decorated, controller: Decorated): RouteRules {
  return {
    isPublic: nearest(PUBLIC_KEY, handler, controller) ?? false,
    strategies: nearest(STRATEGY_KEY, handler, controller),
    roles: nearest(ROLES_KEY, handler, controller),
    facets: routeFacets.flatMap(({ read }) => read(handler, controller) ?? []),
    scopes: nearest(SCOPES_KEY, handler, controller) ?? [defaultScope(handler)],
  };
}

/** Whether a handler needs no authentication. */
export function isPublic(handler: Decorated, controller: Decorated): boolean {
  return routeRules(handler, controller).isPublic;
}

/**
 * The decorator of a public route that needs a caller, and would therefore not be enforced.
 *
 * A public handler in a class with roles is a valid exception; roles on a handler of a public class, or next to
 * `@Public()`, are a mistake.
 */
export function contradictionOf(handler: Decorated, controller: Decorated): string | undefined {
  if (!isPublic(handler, controller)) return undefined;
  const targets = has(PUBLIC_KEY, handler) ? [handler] : [handler, controller];
  return needCaller.find(({ isOn }) => targets.some(isOn))?.decorator;
}

/** The decorators that need a caller. */
export const needCaller: readonly Pick<Facet, 'decorator' | 'isOn'>[] = [
  { decorator: '@Roles()', isOn: (target) => has(ROLES_KEY, target) },
  { decorator: '@Scopes()', isOn: (target) => has(SCOPES_KEY, target) },
  ...routeFacets,
  { decorator: '@UseStrategy()', isOn: (target) => has(STRATEGY_KEY, target) },
];

/** Whether a handler itself has `@Scopes()`. */
export function hasOwnScopes(handler: Decorated): boolean {
  return has(SCOPES_KEY, handler);
}

/** A route that names no scope is open to the wide ones alone. */
function defaultScope(handler: Decorated): (typeof wideScopes)[number] {
  return readers.has(Reflect.getMetadata(METHOD_METADATA, handler)) ? 'read' : 'write';
}

const readers: ReadonlySet<unknown> = new Set([RequestMethod.GET, RequestMethod.HEAD]);

function nearest(key: symbol, handler: Decorated, controller: Decorated) {
  return Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
}

function has(key: symbol, target: Decorated): boolean {
  return Reflect.hasMetadata(key, target);
}
