import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packAll } from '../../tools/pack/all.mts';
import { packageProblems } from '../../tools/pack/modules/package-problems.mts';
import { tarballOf } from '../../tools/pack/modules/tarball.mts';
import { version } from '../../tools/pack/modules/versions.mts';

let folder: string;
let tarballs: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-published-'));
  tarballs = await packAll(folder);
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packages that others install', () => {
  it('are these, of one version', () => {
    const names = ['sluice-engine', 'sluice-service', 'sluice-cli', 'create-sluice'];
    expect(tarballs.map((path) => basename(path))).toEqual(names.map((name) => `${name}-${version}.tgz`));
  });

  it('have no fault that publint or Are the types wrong finds', async () => {
    expect((await Promise.all(tarballs.map((path) => packageProblems(path)))).flat()).toEqual([]);
  });

  it('are checked: an entry without a file or with types of another format is found', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'engine/package.json'), 'utf8'));
    manifest.exports['./nest'].require = { types: './nest.d.mts', default: './missing.cjs' };
    await writeFile(join(folder, 'engine/package.json'), JSON.stringify(manifest));
    const problems = await packageProblems(await tarballOf(join(folder, 'engine')));
    expect(problems.join('\n')).toMatch(/missing\.cjs but the file does not exist[^]*"CJSResolvesToESM"/);
  });

  it('have no path of this machine, and the license', () => {
    for (const tarball of tarballs) {
      const list = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
      expect(list).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']));
      const texts = execFileSync('tar', ['-xzOf', tarball], { encoding: 'utf8', maxBuffer: 2 ** 28 });
      expect(texts.includes(process.cwd())).toBe(false);
    }
  });
});
