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

/** Whether a route has a caller. */
export type CallerRule = 'required' | 'optional' | 'none';

/** The decorators of a handler and its controller; the handler's override the class's. */
export interface RouteRules {
  /** Whether anybody may call it. */
  readonly isPublic: boolean;
  /** `optional`: of a public route that knows its caller, if credentials are sent; `none`: of other public routes. */
  readonly caller: CallerRule;
  /** Names, in the order in which they run; `undefined` means the default strategy. */
  readonly strategies: readonly string[] | undefined;
  /** One of these is required; `undefined` means none. */
  readonly roles: readonly string[] | undefined;
  /** What else the caller must meet. */
  readonly facets: readonly Requirement[];
  /** A caller who is restricted to scopes needs all of these. Default: `read` for GET and HEAD, `write` for other methods. */
  readonly scopes: readonly string[];
  /** Whether a caller who must change the password may call it. */
  readonly isBeforePasswordChange: boolean;
}

/** Reads the rules of one route from its metadata; slow, so once per route and not per request. */
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

/** Whether anybody may call a handler. */
export function isPublic(handler: Decorated, controller: Decorated): boolean {
  return routeRules(handler, controller).isPublic;
}

/**
 * The decorator of a public route that needs a caller, and would therefore not be enforced. Where a caller is optional, its
 * strategies and scopes are.
 *
 * A public handler in a class with roles is a valid exception; roles on a handler of a public class, or next to
 * `@Public()`, are a mistake.
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
