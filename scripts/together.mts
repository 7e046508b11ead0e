import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';

/** A program to run in parallel. */
export interface Program {
  /** The prefix of the program's lines. */
  readonly name: string;
  /** The arguments for Node. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Options for running programs. */
export interface Manner {
  readonly cwd: string;
  /** Formats a line of output. */
  readonly read: (line: string) => string;
}

/**
 * Runs programs in parallel until all have exited. When a program exits or a signal arrives, the remaining programs are
 * signalled too.
 *
 * @returns the exit code of the first program that failed, else 0
 */
export async function runTogether(programs: readonly Program[], manner: Manner): Promise<number> {
  const width = Math.max(...programs.map(({ name }) => name.length));
  const children = programs.map((program) => start(program, manner, width));
  const endAll = () => children.forEach((child) => child.kill('SIGTERM'));
  process.on('SIGTERM', endAll).on('SIGINT', endAll);
  let code = 0;
  await Promise.all(
    children.map(async (child) => {
      const ended = await endOf(child);
      code ||= ended;
      endAll();
    }),
  );
  process.off('SIGTERM', endAll).off('SIGINT', endAll);
  return code;
}

function start({ name, args, env }: Program, { cwd, read }: Manner, width: number): ChildProcess {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const prefix = `${name.padEnd(width)} | `;
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    createInterface({ input: from }).on('line', (line) => to.write(`${prefix}${read(line)}\n`));
  }
  return child;
}

/** Waits until the process has ended and its last line is read. For a signal, the exit code follows the shell convention. */
async function endOf(child: ChildProcess): Promise<number> {
  await once(child, 'close');
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}
