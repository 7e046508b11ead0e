import { callerFindings, facetFindings, type findAuthOptions, foreignFindings } from '@app/auth';
import {
  type CodePlace,
  CodePlaces,
  type ContractFinding,
  parameterFindings,
  parametersOf,
  responseFindings,
  type RouteDescription,
  shadowedRoutes,
} from '@app/contract';
import type { Finding, FindingPlace } from '@app/engine';
import {
  descriptionFindings,
  initialValueFindings,
  listDeclarationFindings,
  twinFindings,
} from './description-findings';
import { idempotencyFindings } from './idempotency-findings';

type AuthOptions = ReturnType<typeof findAuthOptions>;

/** The facts about a program against which its routes are checked. */
export interface CheckedProgram {
  readonly auth: AuthOptions;
  /** Whether the program has global guards in addition to Sluice's guard. */
  readonly hasOtherGuards: boolean;
  /** Finds route preconditions that the program could not honor. */
  readonly conditionsOf: (route: RouteDescription) => readonly Finding[];
}

/** Finds every fault in the routes of a program, with its file and line. */
export function contractFindings(
  routes: readonly RouteDescription[],
  program: CheckedProgram,
): readonly ContractFinding[] {
  const routeFindings = routes.flatMap((route) =>
    findingsOf(route, program).map((finding): RouteFinding => ({ finding, route })),
  );
  const all = [...routeFindings, ...shadowedRoutes(routes).map(shadowed), ...twinFindings(routes)];
  return located(all);
}

/** A finding and a route to which it applies. */
export interface RouteFinding {
  readonly finding: Finding;
  readonly route: RouteDescription;
}

function findingsOf(route: RouteDescription, program: CheckedProgram): Finding[] {
  const { auth, hasOtherGuards, conditionsOf } = program;
  const { controller, handler, path } = route;
  const prototype: Record<string, Function> = controller.prototype;
  const method = prototype[handler];
  if (method === undefined) return [];
  return [
    ...callerFindings(method, controller, auth),
    ...facetFindings(method, controller, path),
    ...foreignFindings(method, controller, hasOtherGuards),
    ...parametersOf(controller, handler).flatMap(parameterFindings),
    ...responseFindings(controller, handler, { hardened: true }),
    ...idempotencyFindings(route),
    ...descriptionFindings(route),
    ...initialValueFindings(route),
    ...listDeclarationFindings(route),
    ...conditionsOf(route),
  ];
}

function shadowed({ route, by }: ReturnType<typeof shadowedRoutes>[number]): RouteFinding {
  const finding = {
    code: 'SLUICE-C401',
    problem: `${by.method} ${by.path} of ${nameOf(by)} handles the same requests`,
    remedy: 'Give one of the two another path or method, or remove it',
  };
  return { finding, route };
}

function nameOf({ controller, handler }: RouteDescription): string {
  return `${controller.name}.${handler}`;
}

/** Groups equal findings, because many routes may use the same class and a finding about it is reported once. */
function grouped(all: readonly RouteFinding[]): RouteFinding[][] {
  const same = Map.groupBy(all, ({ finding, route }) => {
    const { code, problem, place } = finding;
    return `${code} ${problem} ${place ? place.type.name : nameOf(route)}`;
  });
  return [...same.values()];
}

/** Adds the file and the line to each finding, and merges equal findings. */
export function located(all: readonly RouteFinding[]): readonly ContractFinding[] {
  if (all.length === 0) return [];
  const places = openCodePlaces();
  try {
    return grouped(all).flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const { controller, handler } = first.route;
      const { type, member }: FindingPlace = first.finding.place ?? { type: controller, member: handler };
      const routes = [first, ...others].map(({ route }) => `${route.method} ${route.path}`);
      const at: CodePlace | undefined = places?.find(type, member);
      return [{ ...first.finding, handler: nameOf(first.route), routes, at }];
    });
  } finally {
    places?.close();
  }
}

/** Opens the code locator, or returns `undefined` if Node was built without its inspector. Findings then lack a line. */
function openCodePlaces(): CodePlaces | undefined {
  try {
    return new CodePlaces();
  } catch {
    return undefined;
  }
}
