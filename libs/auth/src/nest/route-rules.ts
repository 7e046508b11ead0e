/** A handler or a controller: what decorators hang their words on. */
export type Decorated = Function;

export const PUBLIC_KEY = Symbol('sluice.public');
export const STRATEGY_KEY = Symbol('sluice.strategy');
export const ROLES_KEY = Symbol('sluice.roles');

/** What the decorators of a handler and its controller say, the handler's word over the class's. */
export interface RouteRules {
  readonly isPublic: boolean;
  /** The strategies asked for by name, in the order in which they are tried; `undefined` means the default one. */
  readonly strategies: readonly string[] | undefined;
  /** One of these is needed; `undefined` means that any caller will do. */
  readonly roles: readonly string[] | undefined;
}

/** Reads the rules of one route. Walks metadata, so ask once per route, not once per request. */
export function routeRules(handler: Decorated, controller: Decorated): RouteRules {
  return {
    isPublic: nearest(PUBLIC_KEY, handler, controller) ?? false,
    strategies: nearest(STRATEGY_KEY, handler, controller),
    roles: nearest(ROLES_KEY, handler, controller),
  };
}

/** Whether the guard lets everybody through to this handler. */
export function isPublic(handler: Decorated, controller: Decorated): boolean {
  return routeRules(handler, controller).isPublic;
}

/**
 * Finds the decorator that asks for a caller on a route that is public for want of a nearer word.
 *
 * A public handler in a class with roles is an exception, and plain; roles on a handler of a public class, or
 * both in one place, look like protection and are none.
 */
export function contradictionOf(handler: Decorated, controller: Decorated): string | undefined {
  if (!isPublic(handler, controller)) return undefined;
  const places = has(PUBLIC_KEY, handler) ? [handler] : [handler, controller];
  if (places.some((place) => has(ROLES_KEY, place))) return '@Roles()';
  return places.some((place) => has(STRATEGY_KEY, place)) ? '@UseStrategy()' : undefined;
}

function nearest(key: symbol, handler: Decorated, controller: Decorated) {
  return Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
}

function has(key: symbol, place: Decorated): boolean {
  return Reflect.hasMetadata(key, place);
}
