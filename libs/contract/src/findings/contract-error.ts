import type { Finding } from '@app/engine';
import type { CodePlace } from './code-place';

/** A fault in the contract of a program, and the routes that have it. */
export interface ContractFinding extends Finding {
  /** The `Controller.handler` of the first route with the finding. */
  readonly handler: string;
  /** All routes with the fault, such as `GET /users/:id`. */
  readonly routes: readonly string[];
  /** The source position to change, if known. */
  readonly at: CodePlace | undefined;
}

/**
 * A program does not fully declare its accepted input, its responses or its callers. Aborts the start; the message lists all
 * `findings`.
 */
export class ContractError extends TypeError {
  override readonly name = 'ContractError';

  constructor(
    readonly application: string,
    readonly findings: readonly ContractFinding[],
  ) {
    const faults = findings.length === 1 ? '1 fault' : `${findings.length} faults`;
    super(`${faults} in the contract of ${application}\n\n${findings.map(describe).join('\n\n')}`);
  }
}

/** Writes a finding on a single line, for a log or a failed start. */
export function onOneLine({ code, handler, at, problem, remedy }: ContractFinding): string {
  return `${code} ${at ? `${shown(at)} ` : ''}${handler}: ${problem}. ${remedy}.`;
}

function describe({ code, handler, routes, at, problem, remedy }: ContractFinding): string {
  const [first = '', ...others] = routes;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return [
    `${code}  ${at ? shown(at) : handler}`,
    `  ${first}${more} · ${handler}`,
    `  ${problem}`,
    `  → ${remedy}`,
  ].join('\n');
}

function shown({ file, line }: CodePlace): string {
  return `${file}:${line}`;
}
