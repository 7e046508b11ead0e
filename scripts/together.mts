import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';

/** One of several programs. */
export interface Program {
  /** Stands before each of its lines. */
  readonly name: string;
  /** What Node is to run. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** How programs are run. */
export interface Manner {
  readonly cwd: string;
  /** Makes of a line of theirs what is printed. */
  readonly read: (line: string) => string;
}

/**
 * Runs programs side by side until all have ended. When one ends, or we are asked to, the others are asked to end too.
 *
 * @returns the exit code of the first that failed; 0 when none did
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

/** Waits for its last line as well, and counts a death by a signal as shells do. */
async function endOf(child: ChildProcess): Promise<number> {
  await once(child, 'close');
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}
