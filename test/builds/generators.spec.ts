import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDatabase } from '@app/persistence/testing';
import { Client } from '@app/service/testing';
import { endProcesses, run } from './processes';
import { startProgram } from './programs';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

let copy: WorkspaceCopy;
let made: readonly { code: number; output: string }[];
beforeAll(async () => {
  copy = await copyWorkspace();
  made = [await npm('new:app', 'back-office'), await npm('new:lib', 'ledger', '--layer', 'domain')];
  await useLedger();
});
afterEach(endProcesses);
afterAll(() => copy.remove());

function npm(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return run('npm', ['run', '--silent', script, '--', ...args], { cwd: copy.path });
}

/** Imports the new library in the new application. */
async function useLedger(): Promise<void> {
  const path = join(copy.path, 'apps/back-office/src/app.module.ts');
  const text = await readFile(path, 'utf8');
  const changed = text
    .replace(`import { PersistenceModule }`, `import { LedgerModule } from '@app/ledger';\n$&`)
    .replace(`imports: [`, `$&\n        LedgerModule,`);
  await writeFile(path, changed);
}

describe('a new application on a new library', () => {
  it('is created, with a hint how to continue', () => {
    expect(made).toEqual([
      {
        code: 0,
        output: expect.stringMatching(/^created apps\/back-office\. Run it: npm start -- back-office$/m),
      },
      { code: 0, output: expect.stringMatching(/^created libs\/ledger .* Import it as @app\/ledger;/) },
    ]);
  });

  it.each(['format:check', 'lint', 'types'])('passes npm run %s', async (script) => {
    expect(await npm(script)).toMatchObject({ code: 0 });
  });

  it('passes its tests, and those of the workspace', async () => {
    const paths = ['apps/back-office', 'libs/ledger', 'test/layout.spec.ts', 'test/workspace.spec.ts'];
    const { code, output } = await npm('test', '--project', 'sqlite', '--project', 'workspace', ...paths);
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files .*4 passed/)]);
  });

  it.each(['webpack', 'tsc', 'swc'])('is built by %s, and runs', async (builder) => {
    expect(await npm('build', 'back-office', '-b', builder)).toMatchObject({ code: 0 });
    const database = await temporaryDatabase();
    const program = await startProgram(copy.path, 'back-office', { DATABASE_URL: database.url });
    const { text } = await new Client(program.url).get('/');
    expect(text).toMatch(/^sluice \d+\.\d+\.\d+ \(back-office\)$/);
    expect(await program.stop()).toBe(0);
    await database.remove();
  });

  it('is built and started together with the others', async () => {
    const { code, output } = await npm('build:all', '-b', 'swc');
    expect([code, output]).toEqual([0, expect.stringContaining('compiled')]);
    for (const name of ['api', 'admin', 'back-office']) {
      const entry = await readFile(join(copy.path, `dist/apps/${name}/main.js`), 'utf8');
      expect(entry).toContain(`./apps/${name}/src/main.js`);
    }
  });
});

describe('a project that cannot be created', () => {
  it.each([
    ['new:app', ['api'], 'api is taken: see "projects" in nest-cli.json'],
    ['new:lib', ['api'], 'api is taken: see "projects" in nest-cli.json'],
    ['new:app', ['Back_Office'], '"Back_Office" is no name: lowercase words, joined by dashes'],
    ['new:app', [], 'a name is missing: lowercase words, joined by dashes'],
    [
      'new:lib',
      ['attic', '--layer', 'roof'],
      'no layer is called "roof": runtime, domain, capabilities, foundation',
    ],
  ])('is rejected in one line: %s %j', async (script, args, complaint) => {
    const { code, output } = await npm(script, ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(complaint)]);
    expect(output).not.toContain('\n');
  });
});
