import { problemOfStatus, type ProblemType } from '@app/http-errors';
import { type DeclaredError, errorResponsesOf, type ProblemClass } from './error-responses';
import type { RouteDescription } from './route-description';

/** Returns the error kinds that a route's handler declares. A bare status is the generic kind for that status. */
export function declaredProblems({ controller, handler }: RouteDescription): readonly ProblemType[] {
  const method: object = Reflect.get(controller.prototype, handler);
  return errorResponsesOf(method).flatMap((one) => {
    if (typeof one === 'number') return [problemOfStatus(one)];
    return isProblemClass(one) ? [one.problem] : [];
  });
}

/** Whether a declaration names a class of errors. */
export function isProblemClass(one: DeclaredError): one is ProblemClass {
  return typeof one === 'function';
}

/**
 * Returns every error kind that a program sends, by code.
 *
 * @param shared the error kinds that any route can have; they take precedence over a declared kind with the same code
 * @throws TypeError for two declared kinds with the same code
 */
export function problemsOf(
  routes: readonly RouteDescription[],
  shared: readonly ProblemType[],
): readonly ProblemType[] {
  const byCode = new Map(shared.map((problem) => [problem.code, problem]));
  for (const problem of routes.flatMap(declaredProblems)) {
    const known = byCode.get(problem.code);
    const isGeneric = problem === problemOfStatus(problem.status);
    if (known !== undefined && known !== problem && !isGeneric)
      throw new TypeError(`two kinds of errors have the code ${problem.code}: give one of them another`);
    if (known === undefined) byCode.set(problem.code, problem);
  }
  return [...byCode.values()].toSorted((one, other) => one.status - other.status || compare(one, other));
}

function compare({ code: one }: ProblemType, { code: other }: ProblemType): number {
  return one < other ? -1 : Number(one > other);
}
