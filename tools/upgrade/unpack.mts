import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rcompare, valid } from 'semver';
import { npm, run, tarball } from '../../scripts/npm.cjs';

/** A release in place of the one that is installed. */
export interface Wanted {
  /** A version, or with a registry also a tag or a range; `undefined` for the newest. */
  readonly version: string | undefined;
  /** A folder of tarballs in place of the registry. */
  readonly packages: string | undefined;
}

/**
 * Unpacks `@sluice/cli` of a release, without what it depends on.
 *
 * @param folder gets its files, and is emptied before
 * @returns where its `package.json` is
 */
export function unpack({ version, packages }: Wanted, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (packages === undefined)
    npm(folder, ['pack', '--silent', `@sluice/cli@${version ?? 'latest'}`], 'ignore');
  const [packed = ''] = readdirSync(folder);
  const file =
    packages === undefined
      ? join(folder, packed)
      : tarball(packages, '@sluice/cli', version ?? newestIn(packages)).slice('file:'.length);
  // A path with a colon would be a host for some programs named tar.
  run('tar', ['-xzf', packages === undefined ? basename(file) : file], folder);
  return join(folder, 'package');
}

/** A version before its release, such as 1.0.0-rc.1, is newest only among its like. */
function newestIn(folder: string): string {
  const versions = readdirSync(folder).flatMap((name) => /^sluice-cli-(.+)\.tgz$/.exec(name)?.[1] ?? []);
  const known = versions.filter((one) => valid(one) !== null).toSorted(rcompare);
  const newest = known.find((one) => !one.includes('-')) ?? known[0];
  if (newest === undefined) throw new Error(`No sluice-cli-VERSION.tgz is in ${folder}.`);
  return newest;
}
