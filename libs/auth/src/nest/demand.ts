import { ContradictoryRouteError, UnknownStrategyError } from '../errors';
import type { Strategy } from '../strategies/strategy';
import { contradictionOf, type Decorated, routeRules } from './route-rules';
import type { StrategiesByName } from './strategies-by-name';

/** What one route asks of its callers, with the strategy found. */
export interface Demand {
  readonly isPublic: boolean;
  readonly strategy: Strategy;
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
  const { isPublic, strategy: name, roles } = routeRules(handler, controller);
  const strategy = name === undefined ? strategies.values().next().value : strategies.get(name);
  if (!strategy) throw new UnknownStrategyError(route, name ?? '(default)', [...strategies.keys()]);
  return { isPublic, strategy, roles };
}
