import { problemOfStatus, type ProblemType } from '@app/http-errors';
import { type DeclaredError, errorResponsesOf, type ProblemClass } from './error-responses';
import type { RouteDescription } from './route-description';

/** Returns the error kinds that a route's handler declares. A bare status is the generic kind for that status. */
export function declaredProblems({ controller, handler }: RouteDescription): readonly ProblemType[] {
  const method: object = Reflect.get(controller.prototype, handler);
  return errorResponsesOf(method).flatMap((error) => {
    if (typeof error === 'number') return [problemOfStatus(error)];
    return isProblemClass(error) ? [error.problem] : [];
  });
}

/** Whether a declaration names a class of errors. */
export function isProblemClass(error: DeclaredError): error is ProblemClass {
  return typeof error === 'function';
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
    const existing = byCode.get(problem.code);
    const isGeneric = problem === problemOfStatus(problem.status);
    if (existing !== undefined && existing !== problem && !isGeneric)
      throw new TypeError(`two kinds of errors have the code ${problem.code}: give one of them another`);
    if (existing === undefined) byCode.set(problem.code, problem);
  }
  return [...byCode.values()].toSorted((left, right) => left.status - right.status || compare(left, right));
}

function compare({ code: left }: ProblemType, { code: right }: ProblemType): number {
  return left < right ? -1 : Number(left > right);
}
