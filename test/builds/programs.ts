import { administrator } from '@app/service/testing';
import { readUrl, type Running, start } from './processes';

/** A running program. */
export interface Program extends Running {
  readonly url: string;
  /** Shuts the program down and waits for its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** The program's environment, which is the database and overrides of the test environment. */
export interface Environment {
  readonly DATABASE_URL: string;
  readonly [setting: string]: string;
}

/** Runs a built program, by default on a free port, and waits until it listens. */
export async function startProgram(workspace: string, app: string, env: Environment): Promise<Program> {
  const program = launch(workspace, app, env);
  const url = await program.hear(readUrl);
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    program.signal(signal);
    return program.ended;
  };
  return { ...program, url, stop };
}

/** Runs a built program without waiting until it listens. */
export function launch(workspace: string, app: string, env: Environment): Running {
  const { email, password } = administrator;
  return start(process.execPath, [`dist/apps/${app}/main.js`], {
    cwd: workspace,
    env: { PORT: '0', ADMIN_EMAIL: email, ADMIN_PASSWORD: password, ...env },
  });
}
