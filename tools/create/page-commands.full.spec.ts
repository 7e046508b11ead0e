import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../test/builds/processes';
import { copyWorkspace, type WorkspaceCopy } from '../../test/builds/workspace-copy';

/** The commands that do not run here, by their beginning, with the place that runs them or the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci': '.ci/run, and clean clones in test/clones/first-commands.spec.ts',
  'npm run check': '.ci/run, with types, build:all and npm test',
  'npm run types': '.ci/run, by npm run check',
  'npm run test': '.ci/run runs test:full; test:package and test:peers install packages from the registry',
  'npm test': '.ci/run, by npm run check',
  'npm start': 'test/builds/scripts.spec.ts',
  'npm run start': 'test/builds/scripts.spec.ts',
  'npm run build': 'test/builds/builders.spec.ts and .ci/run',
  'npm run contract:check': 'test/builds/scripts.spec.ts',
  'npm run new ': 'contributing.full.spec.ts',
  'npm run pack ':
    'test/builds: builds.setup.mts, client-package.spec.ts and drills.spec.ts; test/clones/packages.setup.mts',
  'npm run attack ': 'test/builds/attack.spec.ts',
  'npm run simulate ': 'tools/simulate/simulate.spec.ts, for seconds',
  'npm run fuzz ': 'specs with fewer cases: equality, declarations, fuzzed-settings and upgrades',
  'npm run bench ': 'minutes, alone on the machine: test/builds/benchmark.spec.ts checks what is measured',
  'npm run release ': 'needs a repository with an origin: test/release.spec.ts',
  'npm config ': 'a setting of Windows',
  'npm --prefix ': 'test/clones/packages.setup.mts',
  'PROSE=goals ': 'fails while a file misses the goals: test/prose.spec.ts tests the limits',
  'npx --yes --package=': 'test/clones/your-own-product.spec.ts',
};

let copy: WorkspaceCopy;
beforeAll(async () => (copy = await copyWorkspace()));
afterAll(() => copy.remove());

/** Returns the commands on a page: in its text, and the lines of its shell blocks. */
async function commandsOn(page: string): Promise<string[]> {
  const text = await readFile(join(copy.path, page), 'utf8');
  const inline = text.matchAll(/`((?:[A-Z_]+=\S+ )?np[mx] (?!run`)[^`]+)`/g);
  const lines = text.matchAll(/^(np[mx] .*?)(?:\s+#.*)?$/gm);
  return [...inline, ...lines].map(([, command = '']) => command);
}

describe('the commands of CONTRIBUTING, README and AGENTS', () => {
  it('succeed on a copy, if nothing else runs them', { timeout: 1_200_000, retry: 0 }, async () => {
    const pages = ['CONTRIBUTING.md', 'README.md', 'AGENTS.md'];
    const commands = (await Promise.all(pages.map(commandsOn))).flat();
    const beginnings = Object.keys(elsewhere);
    expect(beginnings.filter((begin) => !commands.some((command) => command.startsWith(begin)))).toEqual([]);

    const own = commands.filter((command) => !beginnings.some((begin) => command.startsWith(begin)));
    expect(own).toEqual(expect.arrayContaining(['npm run seed', 'npm run routes', 'npm run generate']));
    for (const command of new Set(own)) {
      const { code, output } = await run('sh', ['-c', command], { cwd: copy.path });
      expect([command, code, code === 0 ? '' : output.slice(-2_000)]).toEqual([command, 0, '']);
    }
  });
});
