import { execFile, spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/workspace.mts';

const run = promisify(execFile);
const scripts = join(import.meta.dirname, '../../../scripts');

/** The embedded server is of this version, and `pg_dump` must not be older. */
const postgresVersion = 18;

/** Runs a program command as `npm run` does, with more settings. Returns its output. @throws Error with its output */
export async function runCommand(
  name: string,
  args: readonly string[],
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const runner = [
    '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
    join(scripts, 'run.js'),
    // Compiled in the package of the commands.
    join(scripts, `command${extname(import.meta.filename)}`),
    name,
  ];
  const env = { ...process.env, DATABASE_URL: databaseUrl, ...settings };
  const { stdout } = await run(process.execPath, [...runner, ...args], { cwd: root, env });
  return stdout;
}

/** Returns the missing requirement for backing up the drill's PostgreSQL server as the rest of `needs …`. */
export function lacksPgDump(): string | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const version = Number(/\d+/.exec(stdout ?? '')?.[0] ?? 0);
  return version >= postgresVersion ? undefined : `pg_dump ${postgresVersion} in the path`;
}
