import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** Returns the URL of the remote `origin`; `undefined` in a clone without this remote. */
export async function originOf(): Promise<string | undefined> {
  try {
    return (await run('git', ['remote', 'get-url', 'origin'], { cwd: root })).stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * Returns the `package.json` members that name the source repository. npm compares them with a release's provenance.
 *
 * @param remote the git remote URL, as `git@host:owner/name.git` or `https://host/owner/name.git`
 * @param directory the source folder, relative to the repository
 * @returns `undefined` for a remote without such a URL, such as a folder
 */
export function inRepository(remote: string, directory: string) {
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([\w.-]+)[:/](.+?)(?:\.git)?$/.exec(remote) ?? [];
  if (host === undefined) return undefined;
  const url = `https://${host}/${path}`;
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  };
}
