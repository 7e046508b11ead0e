import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packCli } from '../../tools/pack/cli/pack.mts';
import { packCreate } from '../../tools/pack/create/pack.mts';
import { packService } from '../../tools/pack/service/pack.mts';
import { endProcesses, readUrl, start } from '../builds/processes';

/** Without the Node of this workspace: what a machine has that has never seen it. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

let folder: string;
let packages: string;
let tarball: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-created-'));
  packages = join(folder, 'packages');
  await packService(join(packages, 'service'));
  await packCli(join(packages, 'cli'));
  tarball = await packCreate(join(packages, 'create'));
});
afterEach(endProcesses);
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

/** npm 9 and 10 remove the link to the Node of the dependencies; each installs the peers of the packages in its own way. */
describe.each(['9', '10', '11'])('npm %s', (version) => {
  const name = `shop-${version}`;
  const npm = (cwd: string, ...args: string[]) =>
    start('npx', ['--yes', `npm@${version}`, ...args], { cwd, env: { PATH, PORT: '0' } });

  it('creates a workspace from the packages, runs it and its tests', async () => {
    const create = ['--', 'create-sluice', name, '--packages', packages];
    const made = npm(folder, 'exec', '--yes', `--package=${tarball}`, ...create);
    expect([await made.ended, made.lines.join('\n')]).toEqual([
      0,
      expect.stringContaining(`created ${name}. Run it:`),
    ]);
    const shop = join(folder, name);
    const program = npm(shop, 'start');
    const response = await fetch(await program.hear(readUrl));
    expect(await response.text()).toBe(`${name} 0.1.0 (api)`);
    program.signal('SIGTERM', 'its group');
    await program.ended;
    const tests = npm(shop, 'test');
    expect([await tests.ended, tests.lines.join('\n')]).toEqual([
      0,
      expect.stringMatching(/Test Files .*3 passed/),
    ]);
  });
});
