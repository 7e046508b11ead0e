import { callerFindings, findAuthOptions } from '@app/auth';
import { answerFindings } from '@app/serialization';
import type { Finding, FindingPlace } from '@app/shapes';
import { parameterFindings, parametersOf } from '@app/validation';
import type { INestApplicationContext } from '@nestjs/common';
import { type CodePlace, CodePlaces } from '@app/contract';
import { ContractError, type ContractFinding } from '@app/contract';
import type { RouteDescription } from '@app/contract';
import { shadowedRoutes } from '@app/contract';
import { describeRoutes } from './describe-routes';

/**
 * Ends the start of a program that leaves open what it takes in, what it sends, or whom it lets in. All that is found
 * is told at once; `docs/reference/contract.md` lists the codes.
 *
 * @param app any time after `NestFactory.create`, before a request is answered
 * @throws ContractError
 */
export function checkContract(app: INestApplicationContext): void {
  const routes = describeRoutes(app);
  const known = findAuthOptions(app);
  const found = routes.flatMap((route) =>
    findingsOf(route, known).map((finding): Found => ({ finding, route })),
  );
  const all = [...found, ...shadowedRoutes(routes).map(shadowed)];
  const [first] = all;
  if (first) throw new ContractError(first.route.application, located(together(all)));
}

interface Found {
  readonly finding: Finding;
  readonly route: RouteDescription;
}

function findingsOf(
  { controller, handler }: RouteDescription,
  known: ReturnType<typeof findAuthOptions>,
): Finding[] {
  const prototype: Record<string, Function> = controller.prototype;
  const method = prototype[handler];
  if (method === undefined) return [];
  return [
    ...callerFindings(method, controller, known),
    ...parametersOf(controller, handler).flatMap(parameterFindings),
    ...answerFindings(controller, handler, { hardened: true }),
  ];
}

function shadowed({ route, by }: ReturnType<typeof shadowedRoutes>[number]): Found {
  const finding = {
    code: 'SLUICE-C401',
    problem: `${by.method} ${by.path} of ${nameOf(by)} answers the same requests`,
    remedy: 'Give one of the two another path or method, or remove it',
  };
  return { finding, route };
}

function nameOf({ controller, handler }: RouteDescription): string {
  return `${controller.name}.${handler}`;
}

/** A class is used by many routes; what is wrong with it is told once. */
function together(all: readonly Found[]): Found[][] {
  const same = Map.groupBy(all, ({ finding, route }) => {
    const { code, problem, place } = finding;
    return `${code} ${problem} ${place ? place.type.name : nameOf(route)}`;
  });
  return [...same.values()];
}

function located(groups: readonly Found[][]): ContractFinding[] {
  const places = openPlaces();
  try {
    return groups.flatMap(([first, ...others]) => {
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

/** A Node that was built without its inspector tells no places; the findings are worth telling all the same. */
function openPlaces(): CodePlaces | undefined {
  try {
    return new CodePlaces();
  } catch {
    return undefined;
  }
}
