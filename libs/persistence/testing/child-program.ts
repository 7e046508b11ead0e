import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Starts one of the programs of this folder in a process of its own, on plain Node.
 *
 * @param program file name, such as `writer.program.ts`; whatever it loads holds nothing but erasable types
 * @returns the process; its standard output is a pipe, and its errors go where ours go
 */
export function startProgram(program: string, ...args: string[]): ChildProcess {
  const hooks = pathToFileURL(join(__dirname, 'resolve-typescript.mjs')).href;
  const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
  return spawn(process.execPath, [quiet, '--import', hooks, join(__dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
