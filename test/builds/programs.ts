import { administrator } from '@app/service/testing';
import { type Running, start } from './processes';

/** A program of ours that listens. */
export interface Program extends Running {
  readonly url: string;
  /** Asks it to end, and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** What a program is told: where its data is, and whatever differs from an environment that is fit for tests. */
export interface Environment {
  readonly DATABASE_URL: string;
  readonly [setting: string]: string;
}

/** Runs a built program, on a free port unless told otherwise, and waits until it listens. */
export async function startProgram(workspace: string, app: string, env: Environment): Promise<Program> {
  const program = launch(workspace, app, env);
  const url = await program.hear(readUrl);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    program.signal(signal);
    return program.ended;
  };
  return { ...program, url, stop };
}

/** Runs a built program, and does not wait for it. */
export function launch(workspace: string, app: string, env: Environment): Running {
  const { email, password } = administrator;
  return start(process.execPath, [`dist/apps/${app}/main.js`], {
    cwd: workspace,
    env: { PORT: '0', ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ...env },
  });
}

/** Reads the line in which a program says where it listens. */
export function readUrl(line: string): string | undefined {
  return /"url":"([^"]+)"/.exec(line)?.[1];
}
