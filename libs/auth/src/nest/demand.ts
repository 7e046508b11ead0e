import { ContradictoryRouteError, UnknownRoleError, UnknownStrategyError } from '../errors';
import type { Strategy } from '../strategies/strategy';
import type { AuthRegister } from './auth-options';
import { contradictionOf, type Decorated, routeRules } from './route-rules';

/** What one route asks of its callers, with the strategies found. */
export interface Demand {
  readonly isPublic: boolean;
  /** Tried in this order. */
  readonly strategies: readonly Strategy[];
  readonly roles: readonly string[] | undefined;
}

/** Why a route's decorators cannot be obeyed. */
export type DemandFault = ContradictoryRouteError | UnknownRoleError | UnknownStrategyError;

/** What a program knows of callers: the strategies that find them, and the roles they may have. */
export type KnownCallers = Pick<AuthRegister, 'strategies' | 'roles'>;

/**
 * Works out what a route asks for.
 *
 * @throws UnknownStrategyError if it names a strategy that is not registered
 * @throws UnknownRoleError if it asks for a role that no caller can have
 * @throws ContradictoryRouteError if it is public and asks for a caller all the same
 */
export function demandOf(handler: Decorated, controller: Decorated, known: KnownCallers): Demand {
  const [fault] = demandFaults(handler, controller, known);
  if (fault) throw fault;
  const { isPublic, strategies: names, roles } = routeRules(handler, controller);
  const all = [...known.strategies.values()];
  const strategies = names
    ? names.flatMap((name) => all.filter((one) => one.name === name))
    : all.slice(0, 1);
  return { isPublic, strategies, roles };
}

/** Everything that keeps a route's decorators from being obeyed. */
export function demandFaults(
  handler: Decorated,
  controller: Decorated,
  { strategies: registered, roles: known }: KnownCallers,
): DemandFault[] {
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
