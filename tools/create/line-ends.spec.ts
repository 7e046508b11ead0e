import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../test/builds/processes';
import { copyWorkspace, type WorkspaceCopy } from '../../test/builds/workspace-copy';

let copy: WorkspaceCopy;
const read = (path: string) => readFileSync(join(copy.path, path), 'utf8');

/** Gives every file the line ends of Windows. */
function convert(): void {
  const files = globSync('{*.*,apps/api/**/*.ts}', { cwd: copy.path });
  for (const file of files) writeFileSync(join(copy.path, file), read(file).replaceAll(/\r?\n/g, '\r\n'));
}

beforeAll(async () => (copy = await copyWorkspace()));
beforeEach(convert);
afterAll(() => copy.remove());

describe('the generators in a checkout with CRLF', () => {
  it.each([
    ['npm run -s new resource zeppelin title:text --no-generate', 'apps/api/src/api.program.ts'],
    ["npm run -s new field zeppelins 'dueOn:date?' --no-generate", 'apps/api/src/zeppelins/zeppelins.dto.ts'],
    ['npm run -s new lib hangar', 'tsconfig.json'],
    ['npm run -s new app airfield --no-generate', 'nest-cli.json'],
  ])('work, and keep the line ends: %s', { timeout: 240_000 }, async (command, changed) => {
    const before = read(changed);
    expect(await run('sh', ['-c', command], { cwd: copy.path })).toMatchObject({ code: 0 });
    expect(read(changed)).not.toBe(before);
    expect(read(changed).replaceAll('\r\n', '')).not.toContain('\n');
  });
});
