import {
  ContradictoryRouteError,
  UndetectableCredentialsError,
  UnenforcedScopesError,
  UnknownRoleError,
  UnknownScopeError,
  UnknownStrategyError,
} from '../errors';
import type { GuardedCaller, Requirement } from '../facets/facet';
import { wideScopes } from './scopes';
import { credentialsTest } from '../strategies/credentials';
import type { Strategy } from '../strategies/strategy';
import type { ResolvedAuthOptions } from '../auth-options';
import {
  type CallerRule,
  contradictionOf,
  type Decorated,
  hasOwnScopes,
  type RouteRules,
  routeRules,
} from './route-rules.discovery';

/** The rules for calling a route, with resolved strategies. */
export interface RouteAccess {
  /** The route as `Controller.handler`. */
  readonly route: string;
  readonly caller: CallerRule;
  /** The strategies in the order in which they run. */
  readonly strategies: readonly Strategy[];
  readonly roles: readonly string[] | undefined;
  readonly scopes: readonly string[];
  readonly facets: readonly Requirement[];
  /** The gates of the facets that depend on the request. They run before every other requirement. */
  readonly gates: readonly RouteGate[];
  readonly isBeforePasswordChange: boolean;
}

/** A gate with the value of the route's facet. */
export type RouteGate = (
  caller: GuardedCaller,
  request: { readonly params?: unknown },
) => GuardedCaller | Promise<GuardedCaller>;

/** An error in a route's decorators. */
export type AccessFault =
  | ContradictoryRouteError
  | UndetectableCredentialsError
  | UnenforcedScopesError
  | UnknownRoleError
  | UnknownScopeError
  | UnknownStrategyError;

/** The options that the decorators of a route are checked against. */
export type CallerOptions = Pick<ResolvedAuthOptions, 'gates' | 'strategies' | 'roles' | 'scopes'>;

/**
 * Resolves who may call a route.
 *
 * @throws UnknownStrategyError if the route names an unregistered strategy
 * @throws UnknownRoleError, UnknownScopeError if the route requires an unknown role or scope
 * @throws UnenforcedScopesError if the route has `@Scopes()`, but its strategies only find callers without scopes
 * @throws ContradictoryRouteError if the route is public and has a decorator that needs a caller
 * @throws UndetectableCredentialsError if the caller is optional and a strategy lacks a way to detect credentials
 * @throws TypeError if a facet of the route depends on the request, and no plugin has its gate
 */
export function routeAccess(handler: Decorated, controller: Decorated, options: CallerOptions): RouteAccess {
  const [fault] = accessFaults(handler, controller, options);
  if (fault) throw fault;
  const { strategies: names, isPublic: _, ...rules } = routeRules(handler, controller);
  const gates = rules.facets.filter(({ hasGate }) => hasGate).map((facet) => gateOf(facet, options));
  return { ...rules, gates, route: nameOf(handler, controller), strategies: strategiesOf(names, options) };
}

function gateOf({ name, value }: Requirement, { gates = {} }: CallerOptions): RouteGate {
  const gate = gates[name];
  if (gate === undefined)
    throw new TypeError(`the facet ${name} has no gate: list it in \`gates\` of a plugin`);
  return (caller, request) => gate.admit(caller, request, value);
}

function nameOf(handler: Decorated, controller: Decorated): string {
  return `${controller.name}.${handler.name}`;
}

function strategiesOf(
  names: readonly string[] | undefined,
  { strategies }: CallerOptions,
): readonly Strategy[] {
  const all = [...strategies.values()];
  return names ? names.flatMap((name) => all.filter((strategy) => strategy.name === name)) : all.slice(0, 1);
}

/** Returns all errors in a route's decorators. */
export function accessFaults(
  handler: Decorated,
  controller: Decorated,
  options: CallerOptions,
): AccessFault[] {
  const { strategies: registered, roles: declaredRoles } = options;
  const route = nameOf(handler, controller);
  const rules = routeRules(handler, controller);
  const { strategies: names = [], roles = [] } = rules;
  const contradiction = contradictionOf(handler, controller);
  return [
    ...(contradiction ? [new ContradictoryRouteError(route, contradiction)] : []),
    ...names
      .filter((name) => !registered.has(name))
      .map((name) => new UnknownStrategyError(route, name, [...registered.keys()])),
    ...(declaredRoles === undefined ? [] : roles.filter((role) => !declaredRoles.includes(role))).map(
      (role) => new UnknownRoleError(route, role, declaredRoles ?? []),
    ),
    ...scopeFaults(handler, rules, options).map((fault) => fault(route)),
    ...undetectable(rules, options).map(({ name }) => new UndetectableCredentialsError(route, name)),
  ];
}

/** Returns the strategies that would treat invalid credentials as absent. */
function undetectable({ caller, strategies }: RouteRules, options: CallerOptions): readonly Strategy[] {
  if (caller !== 'optional') return [];
  return strategiesOf(strategies, options).filter((strategy) => credentialsTest(strategy) === undefined);
}

type FaultOf = (route: string) => UnknownScopeError | UnenforcedScopesError;

/** Returns the scope faults. A class may name a scope for its handlers with restricted callers; a handler names its own. */
function scopeFaults(
  handler: Decorated,
  { caller, strategies, scopes }: RouteRules,
  options: CallerOptions,
): FaultOf[] {
  const declaredScopes: readonly string[] | undefined = options.scopes && [...wideScopes, ...options.scopes];
  const unknown =
    declaredScopes === undefined ? [] : scopes.filter((scope) => !declaredScopes.includes(scope));
  const restrictsNobody =
    caller !== 'none' &&
    hasOwnScopes(handler) &&
    !strategiesOf(strategies, options).some(({ hasScopes }) => hasScopes);
  return [
    ...unknown.map(
      (scope): FaultOf =>
        (route) =>
          new UnknownScopeError(route, scope, declaredScopes ?? []),
    ),
    ...(restrictsNobody ? [(route: string) => new UnenforcedScopesError(route)] : []),
  ];
}
