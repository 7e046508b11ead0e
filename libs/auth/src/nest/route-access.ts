import { ContradictoryRouteError, UnknownRoleError, UnknownStrategyError } from '../errors';
import type { Strategy } from '../strategies/strategy';
import type { ResolvedAuthOptions } from './auth-options';
import { contradictionOf, type Decorated, routeRules } from './route-rules';

/** Who may call a route, with its strategies resolved. */
export interface RouteAccess {
  readonly isPublic: boolean;
  /** Tried in this order. */
  readonly strategies: readonly Strategy[];
  readonly roles: readonly string[] | undefined;
  readonly maxAgeSeconds: number | undefined;
}

/** An error in the decorators of a route. */
export type AccessFault = ContradictoryRouteError | UnknownRoleError | UnknownStrategyError;

/** The options that the decorators of a route are checked against. */
export type CallerOptions = Pick<ResolvedAuthOptions, 'strategies' | 'roles'>;

/**
 * Resolves who may call a route.
 *
 * @throws UnknownStrategyError if it names a strategy that is not registered
 * @throws UnknownRoleError if it requires a role that does not exist
 * @throws ContradictoryRouteError if it is public and has a decorator that needs a caller
 */
export function routeAccess(handler: Decorated, controller: Decorated, known: CallerOptions): RouteAccess {
  const [fault] = accessFaults(handler, controller, known);
  if (fault) throw fault;
  const { isPublic, strategies: names, roles, maxAgeSeconds } = routeRules(handler, controller);
  const all = [...known.strategies.values()];
  const strategies = names
    ? names.flatMap((name) => all.filter((one) => one.name === name))
    : all.slice(0, 1);
  return { isPublic, strategies, roles, maxAgeSeconds };
}

/** All errors in the decorators of a route. */
export function accessFaults(
  handler: Decorated,
  controller: Decorated,
  { strategies: registered, roles: known }: CallerOptions,
): AccessFault[] {
  const route = `${controller.name}.${handler.name}`;
  const { strategies = [], roles = [] } = routeRules(handler, controller);
  const contradiction = contradictionOf(handler, controller);
  return [
    ...(contradiction ? [new ContradictoryRouteError(route, contradiction)] : []),
    ...strategies
      .filter((name) => !registered.has(name))
      .map((name) => new UnknownStrategyError(route, name, [...registered.keys()])),
    ...(known === undefined ? [] : roles.filter((role) => !known.includes(role))).map(
      (role) => new UnknownRoleError(route, role, known ?? []),
    ),
  ];
}
