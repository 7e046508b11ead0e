import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, version } from './manifest.mts';
import { packEngine } from './pack.mts';

const root = join(import.meta.dirname, '../..');

/** What a release depends on. */
export interface ReleaseState {
  readonly version: string;
  /** The text of the package's changelog, with a section `## version` for each release. */
  readonly changelog: string;
  /** The tags of the repository. */
  readonly tags: readonly string[];
  /** The files that are not committed, one a line; empty for none. */
  readonly uncommitted: string;
}

/** The tag of a version; the workspace has others. */
export function tagOf(released: string): string {
  return `engine-v${released}`;
}

/** Why a version cannot be released, one sentence for each reason. */
export function releaseProblems({ version: next, changelog, tags, uncommitted }: ReleaseState): string[] {
  const [, , section = ''] = changelog.split(new RegExp(`^## (${next.replaceAll('.', '\\.')})$`, 'm'));
  const entry = section.split(/^## /m, 1)[0] ?? '';
  const newer = tags.filter(
    (tag) => tag.startsWith('engine-v') && !isNewer(next, tag.slice('engine-v'.length)),
  );
  return [
    ...(isVersion(next)
      ? []
      : [`${next} is no version: set it in scripts/engine/manifest.mts, as 1.2.3 or 1.2.3-rc.1.`]),
    ...(uncommitted === ''
      ? []
      : [`There are changes that are not committed: ${uncommitted.split('\n').join(', ')}.`]),
    ...(/^- /m.test(entry) ? [] : [`scripts/engine/CHANGELOG.md has no entry for ${next}.`]),
    ...(newer.length === 0
      ? []
      : [`${next} is not above ${newer.join(', ')}: raise it in scripts/engine/manifest.mts.`]),
  ];
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(text);
}

/** By the order of npm: a version before its release, such as 1.0.0-rc.1, is below it. */
function isNewer(one: string, than: string): boolean {
  const [left, right] = [one, than].map((text) => text.split('-', 2));
  const order = compareText(left?.[0] ?? '', right?.[0] ?? '');
  if (order !== 0 || left?.[1] === right?.[1]) return order > 0;
  if (left?.[1] === undefined || right?.[1] === undefined) return left?.[1] === undefined;
  return compareText(left[1], right[1]) > 0;
}

function compareText(one: string, other: string): number {
  return new Intl.Collator('en', { numeric: true }).compare(one, other);
}

/** The commands that publish a package and its tag; a person or a job of CI runs them. */
export function releaseCommands(tarball: string, isDryRun: boolean): string[] {
  const tag = tagOf(version);
  const next = version.includes('-') ? ['--tag', 'next'] : [];
  const publish = ['npm', 'publish', tarball, '--provenance', '--access', 'public', ...next];
  if (isDryRun) return [[...publish, '--dry-run'].join(' ')];
  return [publish.join(' '), `git tag -a ${tag} -m "${manifest.name} ${version}"`, `git push origin ${tag}`];
}

/**
 * Checks a release and packs it. It publishes nothing.
 *
 * @returns the tarball
 * @throws Error with every reason against the release
 */
export async function prepareRelease(): Promise<string> {
  const problems = releaseProblems({
    version,
    changelog: readFileSync(join(import.meta.dirname, 'CHANGELOG.md'), 'utf8'),
    tags: git('tag', '--list').split('\n'),
    uncommitted: git('status', '--porcelain'),
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return packEngine(join(root, 'dist/packages/engine'));
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
