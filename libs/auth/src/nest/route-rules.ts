/** A handler or a controller class. */
export type Decorated = Function;

export const PUBLIC_KEY = Symbol('sluice.public');
export const STRATEGY_KEY = Symbol('sluice.strategy');
export const ROLES_KEY = Symbol('sluice.roles');
export const RECENT_KEY = Symbol('sluice.recent');

/** The decorators of a handler and its controller; the handler's override the class's. */
export interface RouteRules {
  readonly isPublic: boolean;
  /** Names, in the order in which they are tried; `undefined` means the default strategy. */
  readonly strategies: readonly string[] | undefined;
  /** One of these is required; `undefined` means none. */
  readonly roles: readonly string[] | undefined;
  /** The sign-in of the caller must not be older; `undefined` means any. */
  readonly maxAgeSeconds: number | undefined;
}

/** Reads the rules of one route from its metadata; slow, so once per route and not per request. */
export function routeRules(handler: Decorated, controller: Decorated): RouteRules {
  return {
    isPublic: nearest(PUBLIC_KEY, handler, controller) ?? false,
    strategies: nearest(STRATEGY_KEY, handler, controller),
    roles: nearest(ROLES_KEY, handler, controller),
    maxAgeSeconds: nearest(RECENT_KEY, handler, controller),
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
  return needCaller.find(([key]) => targets.some((target) => has(key, target)))?.[1];
}

/** The decorators that need a caller. */
const needCaller = [
  [ROLES_KEY, '@Roles()'],
  [RECENT_KEY, '@Recent()'],
  [STRATEGY_KEY, '@UseStrategy()'],
] as const;

function nearest(key: symbol, handler: Decorated, controller: Decorated) {
  return Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller);
}

function has(key: symbol, target: Decorated): boolean {
  return Reflect.hasMetadata(key, target);
}
