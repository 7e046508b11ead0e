import { ContradictoryRouteError, UnknownStrategyError } from '../errors';
import type { Strategy } from '../strategies/strategy';
import { contradictionOf, type Decorated, routeRules } from './route-rules';
import type { StrategiesByName } from './strategies-by-name';

/** What one route asks of its callers, with the strategies found. */
export interface Demand {
  readonly isPublic: boolean;
  /** Tried in this order. */
  readonly strategies: readonly Strategy[];
  readonly roles: readonly string[] | undefined;
}

/**
 * Works out what a route asks for.
 *
 * @throws UnknownStrategyError if it names a strategy that is not registered
 * @throws ContradictoryRouteError if it is public and asks for a caller all the same
 */
export function demandOf(handler: Decorated, controller: Decorated, strategies: StrategiesByName): Demand {
  const route = `${controller.name}.${handler.name}`;
  const contradiction = contradictionOf(handler, controller);
  if (contradiction) throw new ContradictoryRouteError(route, contradiction);
  const { isPublic, strategies: names = defaultOf(strategies), roles } = routeRules(handler, controller);
  const found = names.map((name) => {
    const strategy = strategies.get(name);
    if (!strategy) throw new UnknownStrategyError(route, name, [...strategies.keys()]);
    return strategy;
  });
  return { isPublic, strategies: found, roles };
}

function defaultOf(strategies: StrategiesByName): string[] {
  return [...strategies.keys()].slice(0, 1);
}
