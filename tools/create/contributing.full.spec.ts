import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../test/builds/processes';
import { copyWorkspace, type WorkspaceCopy } from '../../test/builds/workspace-copy';

let copy: WorkspaceCopy;
beforeAll(async () => (copy = await copyWorkspace()));
afterAll(() => copy.remove());

describe('the generators, as CONTRIBUTING shows them', () => {
  // Not again in the same copy, where the generated files exist.
  it('leave npm test green', { timeout: 1_200_000, retry: 0 }, async () => {
    const page = await readFile(join(copy.path, 'CONTRIBUTING.md'), 'utf8');
    const commands = [...page.matchAll(/`(npm run new [^`]*\s[^`]*)`/g)].map(([, command]) => command);
    expect(commands.map((command) => command?.split(' ')[3])).toEqual([
      'resource',
      'resource',
      'field',
      'plugin',
      'rule',
      'app',
      'lib',
    ]);
    // Most specs of libraries, of tools, and of `admin` read nothing that the generators change, and both stores run the same
    // sources.
    const affected =
      "npm test -- --project sqlite --project workspace --exclude 'apps/admin/**' apps/ libs/client/ libs/ledger/ libs/service/src/reference/ /test/ tools/create/ tools/pack/";
    const script = [...commands, 'npm run types', affected].join('\n');
    const { code, output } = await run('sh', ['-ec', script], { cwd: copy.path });
    expect([code, code === 0 ? '' : output.slice(-5_000)]).toEqual([0, '']);
  });
});
