import type { Finding } from '@app/shapes';
import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ContradictoryRouteError, UnknownStrategyError } from '../errors';
import { AUTH_REGISTER, type AuthRegister } from './auth-options';
import { type DemandFault, demandFaults, type KnownCallers } from './demand';
import { type Decorated, isPublic } from './route-rules';

/** The codes of what can be wrong with a route's word on who may call it. */
export const callerFaults = {
  'SLUICE-C301': 'A route asks for a caller, and the program has no `AuthModule`: nobody guards it.',
  'SLUICE-C302': 'A route names a strategy that is not registered: nothing could tell who calls.',
  'SLUICE-C303': 'A route is public and asks for a caller in the same place: it looks closed, and is open.',
  'SLUICE-C304':
    'A route asks for a role that no caller can have: it is closed to all, or the role is misspelled.',
} as const;

type CallerFault = keyof typeof callerFaults;

/**
 * What a program knows of its callers.
 *
 * @returns `undefined` for a program without an `AuthModule`: nothing guards its routes
 */
export function knownCallers(app: INestApplicationContext): KnownCallers | undefined {
  const modules = [...app.get(ModulesContainer).values()];
  if (!modules.some(({ providers }) => providers.has(AUTH_REGISTER))) return undefined;
  return app.get<AuthRegister>(AUTH_REGISTER, { strict: false });
}

/**
 * Finds what keeps a route from having one clear answer to who may call it. A route without a word on it is closed,
 * and that is an answer.
 *
 * @param known what {@link knownCallers} says
 */
export function callerFindings(
  handler: Decorated,
  controller: Decorated,
  known: KnownCallers | undefined,
): readonly Finding[] {
  if (known !== undefined) return demandFaults(handler, controller, known).map(findingOf);
  return isPublic(handler, controller)
    ? []
    : [
        finding(
          'SLUICE-C301',
          'it asks for a caller, and nothing in the program can tell who calls',
          'Import an AuthModule, or put @Public() on the route',
        ),
      ];
}

function findingOf(fault: DemandFault): Finding {
  if (fault instanceof ContradictoryRouteError) {
    return finding(
      'SLUICE-C303',
      `it is public and carries ${fault.demand}, which nobody would check`,
      `Close it with @Public(false), or remove ${fault.demand}`,
    );
  }
  if (fault instanceof UnknownStrategyError) {
    return finding(
      'SLUICE-C302',
      `it asks for the strategy '${fault.strategy}', which is not registered`,
      `Name one of ${fault.registered.join(', ')}, or give AuthModule that strategy`,
    );
  }
  return finding(
    'SLUICE-C304',
    `it asks for the role '${fault.role}', which no caller can have`,
    `Name one of ${fault.known.join(', ')}`,
  );
}

function finding(code: CallerFault, problem: string, remedy: string): Finding {
  return { code, problem, remedy };
}
