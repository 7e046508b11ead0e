import type { Finding } from '@app/shapes';
import type { CodePlace } from './code-place';

/** A fault in the contract of a program, and the routes that have it. */
export interface ContractFinding extends Finding {
  /** `Controller.handler` of the first route that has it. */
  readonly handler: string;
  /** Such as `GET /users/:id`, all that have it. */
  readonly routes: readonly string[];
  /** Where it is to be mended; `undefined` where nobody can tell. */
  readonly at: CodePlace | undefined;
}

/**
 * A program declares what it takes, sends, or whom it lets in, in a way that leaves something open. Ends the start;
 * `findings` holds all that was found, and the message tells them one below the other.
 */
export class ContractError extends TypeError {
  override readonly name = 'ContractError';

  constructor(
    readonly application: string,
    readonly findings: readonly ContractFinding[],
  ) {
    const faults = findings.length === 1 ? '1 fault' : `${findings.length} faults`;
    super(`${faults} in the contract of ${application}\n\n${findings.map(told).join('\n\n')}`);
  }
}

/** A finding on one line, for a log or the end of a start. */
export function onOneLine({ code, handler, at, problem, remedy }: ContractFinding): string {
  return `${code} ${at ? `${shown(at)} ` : ''}${handler}: ${problem}. ${remedy}.`;
}

function told({ code, handler, routes, at, problem, remedy }: ContractFinding): string {
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
