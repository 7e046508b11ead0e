import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packCli } from '../../tools/pack/cli/pack.mts';
import { packCreate } from '../../tools/pack/create/pack.mts';
import { packService } from '../../tools/pack/service/pack.mts';
import { endProcesses, readUrl, run, start } from '../builds/processes';
import { installed, ownEnvironment } from './installed';

/** The `PATH` without this workspace's Node, as on a machine that has never seen the workspace. */
const others = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));

/** The package with the binary of a Node for this machine. */
const binaries = readFileSync(join(__dirname, '../../node-binaries.json'), 'utf8');
const nodePackage = Object.keys(JSON.parse(binaries)).find((name) =>
  name.endsWith(`-${process.platform}-${process.arch}`),
);

/**
 * The variables by which npm reaches the registry. A Node outside the system ignores the system's certificates, and without a
 * registry's own certificate npm repeats each request for a minute.
 */
const registry = {
  ...Object.fromEntries(
    Object.entries(ownEnvironment()).filter(([name]) => /^NODE_EXTRA_CA_CERTS$|_proxy$/i.test(name)),
  ),
  npm_config_prefer_offline: 'true',
};

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

/**
 * npm 9 and 10 remove the link to the Node of the dependencies; each installs the peers of the packages in its own way. The Node of the
 * machine runs npm and finds the one of the workspace.
 */
describe.each([
  { version: '9', node: '20.20.2' },
  { version: '10', node: '22.23.3' },
  { version: '11', node: '24.21.0' },
  { version: '11', node: '26.10.0' },
])('npm $version on Node $node', ({ version, node }) => {
  const name = `shop-${parseInt(node, 10)}`;
  let PATH = '';
  let created: Awaited<ReturnType<typeof run>>;
  const command = (...args: string[]) => ['--yes', `npm@${version}`, ...args];
  const npm = (cwd: string, ...args: string[]) =>
    run('npx', command(...args), { cwd, env: { ...registry, PATH } });

  beforeAll(async () => {
    const machine = await installed([`${nodePackage}@${node}`]);
    PATH = [join(machine, 'node_modules', `${nodePackage}`, 'bin'), ...others].join(delimiter);
    const create = ['create-sluice', name, '--packages', packages];
    created = await npm(folder, 'exec', '--yes', `--package=${tarball}`, '--', ...create);
  });

  it('is the Node that runs npm', async () => {
    const { output } = await npm(folder, 'version');
    expect(output).toContain(` node: '${node}'`);
    expect(output).toContain(` npm: '${version}.`);
  });

  it('creates a workspace from the packages', () => {
    expect(created).toEqual({ code: 0, output: expect.stringContaining(`created ${name}. Run it:`) });
  });

  it('runs it', async () => {
    const env = { ...registry, PATH, PORT: '0' };
    const program = start('npx', command('start'), { cwd: join(folder, name), env });
    const response = await fetch(await program.hear(readUrl));
    expect(await response.text()).toBe(`${name} 0.1.0 (api)`);
    program.signal('SIGTERM', 'its group');
    await program.ended;
  });

  it('runs its tests', async () => {
    const tests = await npm(join(folder, name), 'test');
    expect(tests).toEqual({ code: 0, output: expect.stringMatching(/Test Files .*3 passed/) });
  });
});
