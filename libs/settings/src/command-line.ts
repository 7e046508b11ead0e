import { relative } from 'node:path';

/** The process properties that show how it was started. */
type Started = Pick<NodeJS.Process, 'argv' | 'argv0' | 'env' | 'cwd'>;

/**
 * Returns the shell command that runs a program command, for messages: `npm run keys -- rotate`, `node main.js keys rotate` or
 * `./api keys rotate`, in the form in which the program itself was called.
 *
 * @param command its name and arguments; empty for the program itself
 */
export function commandLine(command: readonly string[] = [], started: Started = process): string {
  const { argv, argv0, env } = started;
  const [, main = ''] = argv;
  // A single executable has no file of its own: there, the second argument is the first as it was typed.
  if (main === argv0) return [main, ...command].join(' ');
  if (env.npm_lifecycle_event === undefined)
    return ['node', inFolder(main, started.cwd()), ...command].join(' ');
  const [name, ...args] = command;
  if (name === undefined) return 'npm start';
  return ['npm run', name, ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}

function inFolder(path: string, folder: string): string {
  const short = relative(folder, path);
  return short.startsWith('..') ? path : short;
}
