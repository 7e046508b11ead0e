import { relative } from 'node:path';

/** What says how this process was started. */
type Started = Pick<NodeJS.Process, 'argv' | 'argv0' | 'env' | 'cwd'>;

/**
 * How somebody calls a command of the running program, for messages: `npm run keys -- rotate`, `node main.js keys rotate` or
 * `./api keys rotate`, as the program itself was called.
 *
 * @param command its name and arguments; none is the program itself
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
