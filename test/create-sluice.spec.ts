import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { packCreate } from '../tools/pack/create/pack.mts';
import { run } from './builds/processes';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-create-')));
const bin = join(root, 'bin');
const PATH = `${bin}${delimiter}${process.env.PATH}`;
beforeAll(() => packCreate(join(root, 'create')));
afterAll(() => rmSync(root, { recursive: true }));

/** Puts an npm on the PATH that does what a test needs at `npm install`. */
function installBy(script: string): void {
  const npm = `#!/bin/sh\nif [ "$1" = prefix ]; then pwd; else ${script}; fi\n`;
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), npm);
  chmodSync(join(bin, 'npm'), 0o755);
}

async function createIn(name: string, env: Record<string, string>) {
  const cwd = join(root, name);
  mkdirSync(cwd, { recursive: true });
  const { code, output } = await run(process.execPath, [join(root, 'create/create-sluice.cjs'), 'shop'], {
    cwd,
    env,
  });
  return { code, output, isThere: existsSync(join(cwd, 'shop')) };
}

describe('create-sluice', () => {
  it.each(['pnpm.cjs', 'yarn.js'])('installs by npm, if %s runs it', async (manager) => {
    installBy('mkdir -p node_modules/@sluice/cli && touch node_modules/@sluice/cli/sluice.cjs');
    const created = await createIn(manager, { PATH, npm_execpath: `/opt/${manager}` });
    expect(created).toMatchObject({ code: 0, isThere: true });
  });

  it('leaves nothing behind, if the installation fails', async () => {
    installBy('exit 1');
    const created = await createIn('offline', { PATH });
    expect(created).toEqual({
      code: 1,
      output: 'npm install --no-audit failed: nothing was created.',
      isThere: false,
    });
  });

  it('creates no workspace that npm would install into the workspaces of another', async () => {
    mkdirSync(join(root, 'monorepo/packages'), { recursive: true });
    writeFileSync(join(root, 'monorepo/package.json'), '{ "workspaces": ["packages/*"] }');
    const created = await createIn('monorepo/packages', {});
    const folder = join(root, 'monorepo');
    expect(created).toEqual({
      code: 1,
      output:
        `npm would install shop into ${folder}, because "workspaces" in its package.json matches it. ` +
        'Create it in another folder: nothing was created.',
      isThere: false,
    });
  });
});
