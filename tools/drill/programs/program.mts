import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 50;
const startDeadlineMs = 120_000;

/** A program to start, with its environment. */
export interface ProgramOrder {
  /** The path to `main.js` or to the executable. */
  readonly file: string;
  readonly cwd: string;
  /** The file that receives the program output, which is appended. */
  readonly logFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** A command that runs the command in its last arguments, such as `unshare`. */
  readonly launcher?: readonly string[];
  /** Whether the file is run itself, and not by Node. */
  readonly isExecutable?: boolean;
}

/** A running program. */
export interface DrillProgram {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns the complete program output. */
  readonly log: () => string;
  /** Sends a signal, default SIGTERM, and returns the exit code; for a signal it is `null`. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts a program and waits until it listens. @throws Error with the program output, if it does not listen */
export async function startProgram({
  file,
  cwd,
  logFile,
  env,
  launcher = [],
  isExecutable = false,
}: ProgramOrder): Promise<DrillProgram> {
  const output = openSync(logFile, 'a');
  const before = readFileSync(logFile, 'utf8').length;
  const { PATH } = process.env;
  const program = isExecutable ? [file] : [process.execPath, file];
  const [command = '', ...args] = [...launcher, ...program];
  const child = spawn(command, args, { cwd, env: { PATH, ...env }, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit');
  const log = () => readFileSync(logFile, 'utf8').slice(before);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return { url: await untilListening(child, log), child, log, stop };
}

async function untilListening(child: ChildProcess, log: () => string): Promise<string> {
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  for (let waitedMs = 0; waitedMs < startDeadlineMs && isRunning(); waitedMs += pollMs) {
    const url = /"url":"([^"]+)"/.exec(log())?.[1];
    if (url !== undefined) return url;
    await pause(pollMs);
  }
  child.kill('SIGKILL');
  throw new Error(`the program did not start:\n${log()}`);
}
