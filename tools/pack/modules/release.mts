import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lte, rsort, valid } from 'semver';
import { inRepository, originOf } from './repository.mts';
import { version } from './versions.mts';

const root = join(import.meta.dirname, '../../..');

/** The state that a release depends on. */
export interface ReleaseState {
  readonly version: string;
  /** The text of the engine's changelog, with a section `## version` for each release. */
  readonly engineChangelog: string;
  /** The text of the workspace's changelog, with a section `## version · date`. */
  readonly changelog: string;
  /** The repository's tags. */
  readonly tags: readonly string[];
  /** The uncommitted files, each on its own line; empty for a clean tree. */
  readonly uncommitted: string;
  /** The URL of the remote `origin`; `undefined` if the remote does not exist. */
  readonly origin: string | undefined;
}

/** A version's tag. */
export function tagOf(released: string): string {
  return `v${released}`;
}

/** Returns a sentence for each reason that prevents a version's release. */
export function releaseProblems(state: ReleaseState): string[] {
  const { version: next, changelog, engineChangelog, tags, uncommitted, origin } = state;
  const [, , section = ''] = engineChangelog.split(new RegExp(`^## (${next.replaceAll('.', '\\.')})$`, 'm'));
  const entry = section.split(/^## /m, 1)[0] ?? '';
  const released = rsort(tags.flatMap((tag) => (tag.startsWith('v') ? (valid(tag) ?? []) : [])));
  const newer = released.filter((candidate) => isVersion(next) && lte(next, candidate)).map(tagOf);
  return [
    ...(isVersion(next) ? [] : [`${next} is no version: set it in package.json, as 1.2.3 or 1.2.3-rc.1.`]),
    ...(uncommitted === ''
      ? []
      : [`There are changes that are not committed: ${uncommitted.split('\n').join(', ')}.`]),
    ...(inRepository(origin ?? '', 'libs')
      ? []
      : [
          'The remote origin is no URL of a host: npm compares the repository in package.json with the provenance.',
        ]),
    ...(/^- /m.test(entry) ? [] : [`tools/pack/engine/CHANGELOG.md has no entry for ${next}.`]),
    ...(new RegExp(`^## ${next.replaceAll('.', '\\.')} · \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog)
      ? []
      : [`CHANGELOG.md has no section ${next} with a date.`]),
    ...(newer.length === 0 ? [] : [`${next} is not above ${newer.join(', ')}: raise it in package.json.`]),
  ];
}

function isVersion(text: string): boolean {
  return /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(text);
}

/**
 * Returns the commands that publish packages and their tag. A person or a CI job runs them.
 *
 * @param tarballs the tarballs in dependency order
 */
export function releaseCommands(tarballs: readonly string[]): string[] {
  const tag = tagOf(version);
  return [
    ...tarballs.map((tarball) => publishCommand(tarball).join(' ')),
    `git tag -a ${tag} -m "${version}"`,
    `git push origin ${tag}`,
  ];
}

/** Returns the publish command. A pre-release version, such as 1.0.0-rc.1, is installed only on request. */
export function publishCommand(tarball: string): [string, ...string[]] {
  return ['npm', 'publish', tarball, ...(version.includes('-') ? ['--tag', 'next'] : [])];
}

/** Returns the reasons why the workspace version cannot be released now. */
export async function presentProblems(): Promise<readonly string[]> {
  return releaseProblems({
    version,
    engineChangelog: readFileSync(join(root, 'tools/pack/engine/CHANGELOG.md'), 'utf8'),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    tags: git('tag', '--list').split('\n'),
    uncommitted: git('status', '--porcelain'),
    origin: await originOf(),
  });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
