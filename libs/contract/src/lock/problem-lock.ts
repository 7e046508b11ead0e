import type { ProblemType } from '@app/http-errors';
import type { RuleCodes } from '../rule-codes';

/** The error codes that clients of a program may depend on. */
export interface ProblemLock {
  /** The status and the fact names, by error code. */
  readonly problems: Readonly<Record<string, LockedProblem>>;
  /** The argument names, by rule code. */
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

interface LockedProblem {
  readonly status: number;
  readonly params: readonly string[];
}

/** Returns a program's current codes. */
export function problemLockOf(problems: readonly ProblemType[], rules: RuleCodes): ProblemLock {
  const locked = problems.map(({ code, status, params = {} }) => [
    code,
    { status, params: Object.keys(params) },
  ]);
  const facts = Object.entries(rules).map(([code, params]) => [code, Object.keys(params)]);
  return { problems: sorted(Object.fromEntries(locked)), rules: sorted(Object.fromEntries(facts)) };
}

/** Returns the locked codes and the new codes. Locked codes always stay. */
export function addToProblemLock(locked: ProblemLock, now: ProblemLock): ProblemLock {
  const params = (code: string) => [...new Set([...(now.rules[code] ?? []), ...(locked.rules[code] ?? [])])];
  const rules = Object.keys({ ...locked.rules, ...now.rules }).map((code) => [code, params(code)]);
  return {
    problems: sorted({ ...now.problems, ...locked.problems }),
    rules: sorted(Object.fromEntries(rules)),
  };
}

/** Lists the changes that break clients: removed codes, changed statuses, removed facts. */
export function brokenCodes(locked: ProblemLock, now: ProblemLock): readonly string[] {
  const problems = Object.entries(locked.problems).flatMap(([code, { status, params }]) => {
    const current = now.problems[code];
    if (current === undefined) return [`the code ${code} is gone`];
    const gone = missing(code, params, current.params);
    return current.status === status
      ? gone
      : [`${code} has the status ${current.status}; it was ${status}`].concat(gone);
  });
  const rules = Object.entries(locked.rules).flatMap(([code, params]) => {
    const current = now.rules[code];
    return current === undefined ? [`the rule ${code} is gone`] : missing(code, params, current);
  });
  return [...problems, ...rules];
}

function missing(code: string, before: readonly string[], after: readonly string[]): string[] {
  return before.filter((name) => !after.includes(name)).map((name) => `${code} no longer has params.${name}`);
}

function sorted<T>(entries: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
