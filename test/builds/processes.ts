import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** Options for running a process. */
export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment apart from `PATH`, which lists the Node of the tests first. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A process that a test started, and its output. */
export interface Running {
  readonly child: ChildProcess;
  /** The lines of both output streams so far. */
  readonly lines: readonly string[];
  /** Resolves with the exit code when all output has been read. For a signal, the exit code follows the shell convention. */
  readonly ended: Promise<number>;
  /**
   * Waits for a line.
   *
   * @param read returns a value for the expected line, and `undefined` for all other lines
   * @throws Error with all output, if the process exits before
   */
  hear<T>(read: (line: string) => T | undefined): Promise<T>;
  /** Sends a signal to the process or to its process group, as a terminal does for Ctrl-C. */
  signal(signal: NodeJS.Signals, to?: 'it' | 'its group'): void;
}

const running = new Set<Running>();

/** Starts a process. {@link endProcesses} kills it with its children. */
export function start(command: string, args: readonly string[], { cwd, env }: ProcessOptions): Running {
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const home = process.env.HOME ?? cwd;
  const child = spawn(command, args, {
    cwd,
    env: { PATH: path, HOME: home, NO_COLOR: '1', SLUICE_COMPILE_AFTER: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines = listen(child);
  const started = {
    child,
    lines,
    ended: endOf(child),
    hear: lineReader(child, lines),
    signal: signalSender(child),
  };
  running.add(started);
  return started;
}

/** Runs a process until it exits. */
export async function run(
  command: string,
  args: readonly string[],
  surroundings: ProcessOptions,
): Promise<{ code: number; output: string }> {
  const { ended, lines } = start(command, args, surroundings);
  const code = await ended;
  return { code, output: lines.join('\n') };
}

/** Kills all started processes that are still running. */
export async function endProcesses(): Promise<void> {
  for (const process of running) process.signal('SIGKILL', 'its group');
  await Promise.all([...running].map(({ ended }) => ended));
  running.clear();
}

/** Reads the URL from a program's `listening` line. */
export function readUrl(line: string): string | undefined {
  return /"url":"([^"]+)"/.exec(line)?.[1];
}

function listen(child: ChildProcess): string[] {
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) throw new TypeError('the child was spawned without a pipe');
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      child.emit('line');
    });
  }
  return lines;
}

async function endOf(child: ChildProcess): Promise<number> {
  await once(child, 'close');
  child.emit('line');
  return child.exitCode ?? 128 + constants.signals[child.signalCode ?? 'SIGKILL'];
}

function lineReader(child: ChildProcess, lines: readonly string[]): Running['hear'] {
  return async (read) => {
    for (;;) {
      const result = lines.map(read).find((value) => value !== undefined);
      if (result !== undefined) return result;
      if (hasEnded(child)) throw new Error(`it exited before the expected line:\n${lines.join('\n')}`);
      await once(child, 'line');
    }
  };
}

function signalSender(child: ChildProcess): Running['signal'] {
  return (signal, to = 'it') => {
    if (child.pid === undefined) return;
    try {
      process.kill(to === 'it' ? child.pid : -child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
