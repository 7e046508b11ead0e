import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { endProcesses, readUrl, run, start } from '../builds/processes';

const root = join(__dirname, '../..');
/** The `PATH` without the Node that runs this test, as on a machine that has never seen the workspace. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules') && !folder.endsWith('node-gyp-bin'))
  .join(delimiter);

afterEach(endProcesses);

/** npm 9 came with Node 18 and 20, npm 10 with 20 and 22, npm 11 with 24. */
describe.each(['9', '10', '11'])('a clean clone, with npm %s', (version) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-clone-'));
    await run('git', ['clone', '--quiet', root, folder], { cwd: root });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const npm = (...args: string[]) =>
    start('npx', ['--yes', `npm@${version}`, ...args], { cwd: folder, env: { PATH, PORT: '0' } });

  it('is installed, run and tested by the commands of the README', async () => {
    const installed = npm('ci', '--no-audit');
    expect([await installed.ended, installed.lines.join('\n')]).toEqual([
      0,
      expect.not.stringContaining('ERR'),
    ]);

    const program = npm('start');
    const url = await program.hear(readUrl);
    expect(await (await fetch(url)).text()).toContain('(api)');
    program.signal('SIGTERM', 'its group');
    await program.ended;
    await expect(fetch(url)).rejects.toThrow('fetch failed');

    const tests = npm('test', '--', '--project', 'sqlite', 'libs/http-errors');
    expect([await tests.ended, tests.lines.join('\n')]).toEqual([0, expect.stringMatching(/Tests .*passed/)]);
  });
});
