import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Drill, finding } from '../tools/drill/drill.mts';
import { drills } from '../tools/drill/drills.mts';
import { without } from '../tools/drill/environment/read-contract.mts';
import { runDrill } from '../tools/drill/run.mts';

const root = join(__dirname, '..');
const alerts = readFileSync(join(root, 'deploy/observe/alerts.yml'), 'utf8');

/** Runs the command as npm does. */
function drill(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.js', 'tools/drill/main.mts', ...args],
    { cwd: root, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

describe('the drills', () => {
  it('have different names, and say what they do and what must hold', () => {
    expect(new Set(drills.map(({ name }) => name)).size).toBe(drills.length);
    const { status, output } = drill('--list');
    expect(status).toBe(0);
    const parts = drills.flatMap(({ name, action, expectation }) => [`${name} (`, action, expectation]);
    expect(parts.filter((part) => !output.includes(part))).toEqual([]);
  });

  it('are in the guide', () => {
    const guide = readFileSync(join(root, 'docs/guides/test-like-production.md'), 'utf8');
    expect(drills.map(({ name }) => name).filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('fire existing alerts', () => {
    const fired = drills.flatMap(({ fires }) => fires);
    expect(fired.filter((name) => !alerts.includes(`alert: ${name}\n`))).toEqual([]);
  });

  it.each([
    [['kill'], 'there is no drill kill: name one of kill-9, '],
    [['--store', 'mysql'], '--store is sqlite or postgres'],
    [['--program', 'nowhere/main.js'], 'there is no nowhere/main.js: run npm run pack api first'],
    [['--app', 'shop'], 'there is no dist/packed/shop/main.js: run npm run pack shop first'],
  ])('are not run with %j', (args, problem) => {
    const { status, output } = drill(...args);
    expect([status, output]).toEqual([1, expect.stringContaining(problem)]);
  });
});

describe('a drill', () => {
  const sample: Drill = {
    name: 'sample',
    action: 'nothing',
    expectation: 'nothing',
    stores: ['sqlite'],
    fires: [],
    run: async ({ either }) =>
      finding({ rounds: either(10, 2) }, { 'this holds': true, 'that holds': false }),
  };
  const folders: string[] = [];
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  const run = async (change: Partial<Drill>) => {
    const options = { main: 'none', isQuick: true, contract: without('a resource') };
    const result = await runDrill({ ...sample, ...change }, 'sqlite', options);
    folders.push(...(result.folder === undefined ? [] : [result.folder]));
    return result;
  };

  it('fails with what does not hold', async () => {
    expect(await run({})).toMatchObject({ result: 'FAIL', numbers: { rounds: 2 }, failures: ['that holds'] });
    expect(await run({ run: async () => finding({}, { 'this holds': true }) })).toMatchObject({
      result: 'PASS',
    });
  });

  it('fails if a program does not start', async () => {
    const { result, failures } = await run({
      run: async ({ start }) => finding({}, { started: Boolean(await start()) }),
    });
    expect([result, failures]).toEqual(['FAIL', [expect.stringContaining('the program did not start')]]);
    expect(readdirSync(folders.at(-1) ?? '')).toEqual([expect.stringMatching(/^\d+\.log$/)]);
  });

  it('is skipped with what the machine lacks', async () => {
    expect(await run({ lacks: () => 'a proxy' })).toMatchObject({
      result: 'SKIP',
      failures: ['needs a proxy'],
    });
  });

  const needingNothing = new Set(['lost-administrator', 'wrong-settings']);
  it.each(
    drills.filter(({ name }) => !needingNothing.has(name)).map((entry) => [entry.name, entry.run] as const),
  )('is skipped with what the application lacks: %s', async (_, own) => {
    expect(await run({ run: own })).toMatchObject({ result: 'SKIP', failures: ['needs a resource'] });
  });
});
