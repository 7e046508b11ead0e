import { styleText } from 'node:util';
import { type Answer, type Attempt, curlOf } from '../wire/exchange.mts';
import type { Wire } from '../wire/wire.mts';

/** The result of a check. */
export interface Result {
  readonly area: string;
  readonly check: string;
  /** The outcome. `SKIP` means that the check had no case or lacked something. */
  readonly outcome: 'PASS' | 'FAIL' | 'SKIP';
  /** The routes that the check could not attack, each with the reason. The service has them, so the skip is unexpected. */
  readonly lacks: readonly string[];
  /** The number of requests or measurements behind the result. */
  readonly cases: number;
  /** The failures, each with the request that shows it. */
  readonly failures: readonly Failure[];
  /** The reason for a skip, or the measurement. */
  readonly note: string;
}

/** A failure that a check found. */
export interface Failure {
  readonly problem: string;
  /** A command that sends the request, if a single request shows the failure. */
  readonly request?: string;
}

/**
 * Ends a check that could not make a thing although the service has a route for it.
 *
 * @see Findings.lack
 */
export class Unmade extends Error {}

/** Ends a check of a capability that the service does not offer. */
export class NotOffered extends Error {}

/** The statuses that pass. */
export type Expected = Iterable<number> | ((status: number) => boolean);

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
export const isRefusal = (status: number): boolean => status >= 400 && status < 500;
/** A refusal for want of capacity is no error. */
export const isNoServerError = (status: number): boolean => (status > 0 && status < 500) || status === 503;

/** Collects a check's findings. */
export class Findings {
  cases = 0;
  readonly failures: Failure[] = [];
  readonly notes: string[] = [];
  readonly lacks: string[] = [];

  readonly wire: Wire;

  constructor(wire: Wire) {
    this.wire = wire;
  }

  /** Counts a case, which fails unless `holds`. */
  expect(holds: boolean, problem: string, attempt?: Attempt): void {
    this.cases += 1;
    if (holds) return;
    this.failures.push({ problem, ...(attempt && { request: curlOf(attempt, this.wire.url) }) });
  }

  /**
   * Sends a request and counts a case. The case fails unless the status is expected.
   *
   * @param who the attacked route, such as `GET /users`
   * @param what the sent request as the failure words it, such as `to a used link`
   */
  async answers(
    attempt: Attempt,
    expected: Expected,
    who: string,
    what: string,
    wire = this.wire,
  ): Promise<Answer> {
    const answer = await wire.send(attempt);
    const { status } = answer;
    const isExpected = typeof expected === 'function' ? expected(status) : new Set(expected).has(status);
    this.expect(isExpected, `${who} answers ${status} ${what}`, attempt);
    return answer;
  }

  /** Adds a measurement, or why the check does not apply to the service. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Runs something that may end by {@link Unmade} or {@link NotOffered}, and adds the reason. */
  async unlessSkipped<Made>(run: () => Promise<Made>): Promise<Made | undefined> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Unmade) this.lack(error.message);
      else if (error instanceof NotOffered) this.note(error.message);
      else throw error;
      return undefined;
    }
  }

  /** Adds a route of the service that could not be attacked, with the reason. */
  lack(text: string): void {
    if (!this.lacks.includes(text)) this.lacks.push(text);
  }
}

/** The result of a check, which is skipped if it had no case or lacked something. */
export function resultOf(area: string, check: string, { cases, failures, notes, lacks }: Findings): Result {
  const outcome = failures.length > 0 ? 'FAIL' : cases === 0 || lacks.length > 0 ? 'SKIP' : 'PASS';
  return { area, check, outcome, cases, failures, lacks, note: [...lacks, ...notes].join('; ') };
}

/** Whether a result fails the command because of a failure or an unexpected skip. */
export function isFatal({ area, check, outcome, lacks }: Result, maySkip: readonly string[]): boolean {
  const isExpected = maySkip.some((part) => `${area}: ${check}`.includes(part));
  return outcome === 'FAIL' || (lacks.length > 0 && !isExpected);
}

const shownFailures = 5;
const colors = { PASS: 'green', FAIL: 'red', SKIP: 'yellow' } as const;

/** Writes the results as a table, and below it each failure with its request. */
export function tableOf(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ area, check }) => area.length + check.length)) + 2;
  const lines = results.map(({ area, check, outcome, cases, note }) => {
    const title = `${area}: ${check}`.padEnd(width);
    return `${styleText(colors[outcome], outcome)}  ${title}  ${String(cases).padStart(5)}  ${note}`.trimEnd();
  });
  return [...lines, '', ...results.flatMap(failuresOf), summaryOf(results)].join('\n');
}

function failuresOf({ area, check, failures }: Result): string[] {
  if (failures.length === 0) return [];
  const shown = failures
    .slice(0, shownFailures)
    .map(({ problem, request }) => `  ${problem}${request ? `\n    ${request}` : ''}`);
  const rest =
    failures.length > shownFailures ? [`  and ${failures.length - shownFailures} more; --json has all`] : [];
  return [`${area}: ${check}`, ...shown, ...rest, ''];
}

function summaryOf(results: readonly Result[]): string {
  const count = (wanted: Result['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  const unexpected = results.filter(({ lacks }) => lacks.length > 0).length;
  const skipped = `${count('SKIP')} skipped${unexpected > 0 ? ` (${unexpected} unexpectedly: give the accounts what these routes need, or name the check with --may-skip)` : ''}`;
  return `${count('PASS')} passed, ${count('FAIL')} failed, ${skipped}`;
}
