import type { Finding } from '@app/engine';
import {
  ContradictoryRouteError,
  UndetectableCredentialsError,
  UnenforcedScopesError,
  UnknownScopeError,
  UnknownStrategyError,
} from '../errors';
import { routeFacets } from '../facets/route-facets';
import { type AccessFault, accessFaults, type CallerOptions } from '../routes/route-access.discovery';
import { type Decorated, isPublic, needCaller } from '../routes/route-rules.discovery';

const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Codes of findings on who may call a route. */
export const callerFaults = {
  'SLUICE-C301': 'A route is closed, and the program lacks an `AuthModule` that authenticates its callers.',
  'SLUICE-C302': 'A route names an unregistered strategy: every request would be refused.',
  'SLUICE-C303': `A route is public and has ${oneOf.format(needCaller().map(({ decorator }) => `\`${decorator}\``))}, which would not be enforced.`,
  'SLUICE-C304': 'A route requires an undeclared role: every caller would get a 403.',
  'SLUICE-C306': 'A route requires an undeclared scope, which API keys cannot have.',
  'SLUICE-C307':
    'A route has `@Scopes()`, but its strategies have callers without scopes: every caller would pass.',
  'SLUICE-C308':
    'The caller of a route is optional, and a strategy cannot tell whether credentials were sent: invalid credentials would pass.',
  'SLUICE-C309':
    'A path has the parameter of a decorator such as `@Member()`, and the route lacks the decorator: callers would reach the rows of every tenant.',
  'SLUICE-C310':
    'A route has a decorator such as `@Member()`, and its path lacks the parameter by which it decides: every caller would get a 404.',
} as const;

type CallerFault = keyof typeof callerFaults;

/**
 * Checks the decorators that decide who may call a route. A route that has no decorators requires authentication, which is fine.
 *
 * @param options the application's options, as `findAuthOptions` returns them
 */
export function callerFindings(
  handler: Decorated,
  controller: Decorated,
  options: CallerOptions | undefined,
): readonly Finding[] {
  if (options !== undefined) return accessFaults(handler, controller, options).map(findingOf);
  return isPublic(handler, controller)
    ? []
    : [
        finding(
          'SLUICE-C301',
          'it is not public, and the program has no AuthModule',
          'Import an AuthModule, or put @Public() on the route',
        ),
      ];
}

/**
 * Checks that a route has a facet with a path parameter if, and only if, its path has the parameter.
 *
 * @param path the full path, such as `/organizations/:organizationId/projects`
 */
export function facetFindings(handler: Decorated, controller: Decorated, path: string): readonly Finding[] {
  return routeFacets().flatMap(({ decorator, parameter, isOn, read }) => {
    if (parameter === undefined) return [];
    // A parameter may have a pattern: `:organizationId(\d+)`.
    const isInPath = new RegExp(`:${parameter}\\b`).test(path);
    if (isInPath && !isOn(handler) && !isOn(controller))
      return finding(
        'SLUICE-C309',
        `its path has :${parameter}, and it lacks ${decorator}`,
        `Put ${decorator} on the route or its controller`,
      );
    if (isInPath || read(handler, controller) === undefined) return [];
    return finding(
      'SLUICE-C310',
      `it has ${decorator}, and its path lacks :${parameter}`,
      `Name the parameter :${parameter}, or remove ${decorator}`,
    );
  });
}

function findingOf(fault: AccessFault): Finding {
  if (fault instanceof ContradictoryRouteError) {
    return finding(
      'SLUICE-C303',
      `it is public and has ${fault.decorator}, which would not be enforced`,
      `Add @Public(false), or remove ${fault.decorator}`,
    );
  }
  if (fault instanceof UnknownStrategyError) {
    return finding(
      'SLUICE-C302',
      `it names the strategy '${fault.strategy}', which is not registered`,
      `Name one of ${fault.registered.join(', ')}, or register that strategy`,
    );
  }
  if (fault instanceof UnknownScopeError) {
    return finding(
      'SLUICE-C306',
      `it requires the scope '${fault.scope}', which does not exist`,
      `Name one of ${fault.scopes.join(', ')}`,
    );
  }
  if (fault instanceof UnenforcedScopesError) {
    return finding(
      'SLUICE-C307',
      'it has @Scopes(), and no strategy whose callers have scopes',
      'Name one by @UseStrategy(), or remove @Scopes()',
    );
  }
  if (fault instanceof UndetectableCredentialsError) {
    return finding(
      'SLUICE-C308',
      `its caller is optional, and the strategy '${fault.strategy}' cannot tell whether credentials were sent`,
      'Give the strategy a scheme, or hasCredentials',
    );
  }
  return finding(
    'SLUICE-C304',
    `it requires the role '${fault.role}', which does not exist`,
    `Name one of ${fault.roles.join(', ')}`,
  );
}

function finding(code: CallerFault, problem: string, remedy: string): Finding {
  return { code, problem, remedy };
}
