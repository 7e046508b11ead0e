import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 50;

/** A running proxy. */
export interface Proxy {
  readonly url: string;
  /** Waits until it sends requests to a program, by its place from 0. */
  readonly untilUp: (program: number) => Promise<void>;
  /** Waits until it has noticed that a program is not ready. */
  readonly untilDown: (program: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Whether the path has a program. */
export function isInstalled(program: 'haproxy' | 'nginx'): boolean {
  return spawnSync(program, ['-v']).status === 0;
}

/** Wraps a proxy. @param isUp whether it serves a program; repeated. Waiting throws the output of an exited proxy */
export function proxyOf(
  child: ChildProcess,
  url: string,
  isUp: (program: number) => Promise<boolean>,
): Proxy {
  const messages = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'exit');
  const until = async (program: number, isWanted: boolean) => {
    while ((await isUp(program).catch(() => !isWanted)) !== isWanted) {
      if (child.exitCode !== null) throw new Error(`the proxy has exited:\n${await messages}`);
      await pause(pollMs);
    }
  };
  return {
    url,
    untilUp: (program) => until(program, true),
    untilDown: (program) => until(program, false),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
