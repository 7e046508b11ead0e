import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifest, version } from '../tools/pack/engine/manifest.mts';
import {
  releaseCommands,
  releaseProblems,
  type ReleaseState,
  tagOf,
} from '../tools/pack/modules/release.mts';
import { inRepository } from '../tools/pack/modules/repository.mts';

const ready: ReleaseState = {
  version: '1.2.0',
  engineChangelog: '# Changelog\n\n## 1.2.0\n\n- One.\n\n## 1.1.0\n\n- Another.\n',
  changelog: '# Changelog\n\n## 1.2.0 · 2026-11-24\n',
  tags: ['v1.1.0', 'v1.2.0-rc.1', 'other-9.0.0', 'very-new'],
  uncommitted: '',
  origin: 'git@example.org:owner/name.git',
};

describe('a release of the packages', () => {
  it('is possible if everything is committed, in the changelog and new', () => {
    expect(releaseProblems(ready)).toEqual([]);
  });

  it.each<[Partial<ReleaseState>, string]>([
    [{ uncommitted: ' M a.ts\n?? b.ts' }, 'There are changes that are not committed:  M a.ts, ?? b.ts.'],
    [
      { origin: undefined },
      'The remote origin is no URL of a host: npm compares the repository in package.json with the provenance.',
    ],
    [
      { engineChangelog: '## 1.1.0\n\n- Another.\n' },
      'tools/pack/engine/CHANGELOG.md has no entry for 1.2.0.',
    ],
    [
      { engineChangelog: '## 1.2.0\n\n## 1.1.0\n\n- Another.\n' },
      'tools/pack/engine/CHANGELOG.md has no entry for 1.2.0.',
    ],
    [{ tags: ['v1.2.0'] }, '1.2.0 is not above v1.2.0: raise it in package.json.'],
    [{ tags: ['v1.10.0'] }, '1.2.0 is not above v1.10.0: raise it in package.json.'],
    [
      { version: '1.2', engineChangelog: '## 1.2\n\n- One.\n', changelog: '## 1.2 · 2026-11-24', tags: [] },
      '1.2 is no version: set it in package.json, as 1.2.3 or 1.2.3-rc.1.',
    ],
  ])('says what is against it: %j', (change, problem) => {
    expect(releaseProblems({ ...ready, ...change })).toEqual([problem]);
  });

  it('is described in the changelog, as the next one', () => {
    const engineChangelog = readFileSync(join(__dirname, '../tools/pack/engine/CHANGELOG.md'), 'utf8');
    const changelog = `## ${version} · 2026-11-24`;
    expect(releaseProblems({ ...ready, version, engineChangelog, changelog, tags: [] })).toEqual([]);
  });

  it.each([
    'https://example.org/owner/name.git',
    'https://example.org/owner/name',
    'git@example.org:owner/name.git',
    'ssh://git@example.org/owner/name.git',
  ])('names the repository of its remote: %s', (remote) => {
    expect(inRepository(remote, 'libs/engine')).toEqual({
      repository: { type: 'git', url: 'git+https://example.org/owner/name.git', directory: 'libs/engine' },
      homepage: 'https://example.org/owner/name#readme',
      bugs: 'https://example.org/owner/name/issues',
    });
    expect(inRepository('/srv/name', 'libs/engine')).toBeUndefined();
  });

  it('is published with provenance, by commands that name the tarball and the tag', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    expect(releaseCommands(['a.tgz', 'b.tgz'])).toEqual([
      'npm publish a.tgz',
      'npm publish b.tgz',
      `git tag -a ${tagOf(version)} -m "${version}"`,
      `git push origin ${tagOf(version)}`,
    ]);
  });
});
