import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts a program from this folder in a child process, with Node's type stripping.
 *
 * @param program file name, such as `writer.program.ts`; it and its imports use erasable syntax only
 * @returns the process; its standard output is a pipe, its standard error is inherited
 */
export function startProgram(program: string, ...args: string[]): ChildProcess {
  return start({}, program, args);
}

/** Starts a program like {@link startProgram}, as a user bound by file modes: `nobody` instead of root. */
export function startAsOrdinaryUser(program: string, ...args: string[]): ChildProcess {
  return start(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}, program, args);
}

/** The `nobody` user id. */
export const nobody = 65_534;

function start(user: SpawnOptions, program: string, args: readonly string[]): ChildProcess {
  const hooks = pathToFileURL(join(__dirname, 'resolve-typescript.mjs')).href;
  const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
  return spawn(process.execPath, [quiet, '--import', hooks, join(__dirname, program), ...args], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}
