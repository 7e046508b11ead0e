import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/internal';
import type { Facet, Requirement } from '../facets/facet';
import { requirementsOf, routeFacets } from '../facets/route-facets';
import type { wideScopes } from './scopes';

/** A handler or a controller class. */
export type Decorated = Function;

export const PUBLIC_KEY = Symbol('sluice.public');
export const STRATEGY_KEY = Symbol('sluice.strategy');
export const ROLES_KEY = Symbol('sluice.roles');
export const SCOPES_KEY = Symbol('sluice.scopes');
export const BEFORE_PASSWORD_CHANGE_KEY = Symbol('sluice.before-password-change');

/** The rule whether a route has a caller. */
export type CallerRule = 'required' | 'optional' | 'none';

/** The decorators of a handler and its controller; the handler's override the class's. */
export interface RouteRules {
  /** Whether anybody may call the route. */
  readonly isPublic: boolean;
  /** The caller rule: `optional` if a public route knows callers with credentials, `none` for further public routes. */
  readonly caller: CallerRule;
  /** Names, in the order in which they run; `undefined` means the default strategy. */
  readonly strategies: readonly string[] | undefined;
  /** The roles, any of which suffices. `undefined` means that every role may call. */
  readonly roles: readonly string[] | undefined;
  /** The facet requirements on the caller. */
  readonly facets: readonly Requirement[];
  /** A caller who is restricted to scopes needs all of these. Default: `read` for GET and HEAD, `write` for other methods. */
  readonly scopes: readonly string[];
  /** Whether a caller who must change the password may call the route. */
  readonly isBeforePasswordChange: boolean;
}

/** Reads the rules of a route from its metadata. This is slow, so call it once per route rather than once per request. */
export function routeRules(handler: Decorated, controller: Decorated): RouteRules {
  const caller: CallerRule = nearest(PUBLIC_KEY, handler, controller) ?? 'required';
  const isClosed = caller === 'required';
  return {
    isPublic: !isClosed,
    caller,
    strategies: nearest(STRATEGY_KEY, handler, controller),
    // A public handler is an exception to what its class requires.
    roles: isClosed ? nearest(ROLES_KEY, handler, controller) : undefined,
    facets: isClosed ? requirementsOf(handler, controller) : [],
    scopes: nearest(SCOPES_KEY, handler, controller) ?? [defaultScope(handler)],
    isBeforePasswordChange: isClosed && has(BEFORE_PASSWORD_CHANGE_KEY, handler),
  };
}

/** Returns whether anybody may call a handler. */
export function isPublic(handler: Decorated, controller: Decorated): boolean {
  return routeRules(handler, controller).isPublic;
}

/**
 * Returns the decorator that a public route would leave unenforced, because it needs a caller. Where a caller is optional,
 * strategies and scopes are enforced.
 *
 * A public handler in a class with roles is a valid exception. Roles on a handler in a public class, or next to `@Public()`, are
 * a mistake.
 */
export function contradictionOf(handler: Decorated, controller: Decorated): string | undefined {
  const { caller } = routeRules(handler, controller);
  if (caller === 'required') return undefined;
  const targets = has(PUBLIC_KEY, handler) ? [handler] : [handler, controller];
  const unenforced = caller === 'optional' ? requireCaller() : needCaller();
  return unenforced.find(({ isOn }) => targets.some(isOn))?.decorator;
}

/** The decorators that refuse a request without a caller. */
function requireCaller(): readonly Pick<Facet, 'decorator' | 'isOn'>[] {
  return [
    { decorator: '@Roles()', isOn: (target) => has(ROLES_KEY, target) },
    { decorator: '@BeforePasswordChange()', isOn: (target) => has(BEFORE_PASSWORD_CHANGE_KEY, target) },
    ...routeFacets(),
  ];
}

/** The decorators that need a caller. */
export function needCaller(): readonly Pick<Facet, 'decorator' | 'isOn'>[] {
  return [
    ...requireCaller(),
    { decorator: '@Scopes()', isOn: (target) => has(SCOPES_KEY, target) },
    { decorator: '@UseStrategy()', isOn: (target) => has(STRATEGY_KEY, target) },
  ];
}

/** Returns whether a handler itself has `@Scopes()`. */
export function hasOwnScopes(handler: Decorated): boolean {
  return has(SCOPES_KEY, handler);
}

/** Returns the wide scope that a route requires by default. */
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
