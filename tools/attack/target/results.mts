import { styleText } from 'node:util';
import { type Attempt, curlOf } from '../wire/exchange.mts';

/** What one check showed. */
export interface Result {
  readonly area: string;
  readonly check: string;
  readonly outcome: 'PASS' | 'FAIL' | 'SKIP';
  /** How many requests or measurements it rests on. */
  readonly cases: number;
  /** Each with the request that shows it. */
  readonly failures: readonly Failure[];
  /** Why it was skipped, or what was measured. */
  readonly note: string;
}

/** One failure of a check. */
export interface Failure {
  readonly problem: string;
  /** A command that sends the request, if one request shows it. */
  readonly request?: string;
}

/** Collects what one check finds. */
export class Findings {
  cases = 0;
  readonly failures: Failure[] = [];
  readonly notes: string[] = [];

  private readonly url: URL;

  constructor(url: URL) {
    this.url = url;
  }

  /** Counts a case, which fails unless `holds`. */
  expect(holds: boolean, problem: string, attempt?: Attempt): void {
    this.cases += 1;
    if (holds) return;
    this.failures.push({ problem, ...(attempt && { request: curlOf(attempt, this.url) }) });
  }

  /** Adds a measurement, or what could not be checked. */
  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }
}

/** A check without a case was skipped, which its note explains. */
export function resultOf(area: string, check: string, { cases, failures, notes }: Findings): Result {
  const outcome = failures.length > 0 ? 'FAIL' : cases === 0 ? 'SKIP' : 'PASS';
  return { area, check, outcome, cases, failures, note: notes.join('; ') };
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
  return `${count('PASS')} passed, ${count('FAIL')} failed, ${count('SKIP')} skipped`;
}
