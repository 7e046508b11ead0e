import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { administrator, Client } from '@app/service/testing';
import { moveSamples, readMovedSamples } from './moved-samples';
import { endProcesses, run } from './processes';
import layout from '../layout/layout.json';
import { addedFields, type Product, productBehaves, projectFields, taskFields } from './product';
import { startProgram } from './programs';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

/** The output of a generator or a check, and its exit code. */
type Ended = { readonly code: number; readonly output: string };

const fields = [
  'title:text:unique',
  'seats:integer',
  'note:text?',
  'isOpen:boolean',
  'dueAt:timestamp',
  'endedAt:timestamp?',
];

const cardFields = ['title:text', 'board:ref:boards', 'status:one-of(open,done)'];

let copy: WorkspaceCopy;
let results: Record<
  'application' | 'library' | 'plugin' | 'resource' | 'projects' | 'tasks' | 'fields' | 'boards' | 'cards',
  Ended
>;
beforeAll(async () => {
  copy = await copyWorkspace();
  const application = await npm('new', 'app', 'back-office', '--no-generate');
  await moveSamples(join(copy.path, 'apps/back-office'));
  const library = await npm('new', 'lib', 'ledger', '--layer', 'domain');
  await useLedger();
  const plugin = await npm('new', 'plugin', 'price-list', '--no-generate');
  const resource = await npm('new', 'resource', 'parking-ticket', ...fields, '--no-generate');
  const projects = await npm('new', 'resource', ...projectFields, '--no-generate');
  const tasks = await npm('new', 'resource', ...taskFields, '--no-generate');
  const boards = await npm('new', 'resource', 'board', 'name:text:unique', '--tenant', '--no-generate');
  const cards = await npm('new', 'resource', 'card', ...cardFields, '--tenant', '--no-generate');
  await npm('new', 'field', 'cards', 'dueOn:date?', 'post:ref:posts?', '--no-generate');
  const added = await npm('new', 'field', 'tasks', ...addedFields);
  results = { application, library, plugin, resource, projects, tasks, fields: added, boards, cards };
  await copy.mark();
}, 600_000);
afterAll(() => copy.remove());

function npm(script: string, ...args: string[]): Promise<Ended> {
  return run('npm', ['run', '--silent', script, '--', ...args], { cwd: copy.path });
}

/** Runs a tool of the workspace on every file that was created or changed. */
async function onChangedFiles(
  tool: string,
  args: readonly string[],
  isChecked: (path: string) => boolean,
): Promise<Ended> {
  const paths = (await copy.changed()).filter(isChecked);
  expect(paths.length).toBeGreaterThan(20);
  return run(process.execPath, [tool, ...args, ...paths], { cwd: copy.path });
}

/** Imports the new library in the new application. */
async function useLedger(): Promise<void> {
  const path = join(copy.path, 'apps/back-office/src/back-office.program.ts');
  const text = await readFile(path, 'utf8');
  const changed = text
    .replace(`import { backup }`, `import { LedgerModule } from '@app/ledger';\n$&`)
    .replace(`    home,\n`, `$&    { name: 'ledger', modules: () => [LedgerModule] },\n`);
  await writeFile(path, changed);
}

describe('a new application, a new library in it, a new plugin, and a new resource', () => {
  it('are created, with a hint how to continue', () => {
    expect(results).toEqual({
      application: {
        code: 0,
        output: expect.stringMatching(/^created apps\/back-office\. Run it: npm start -- back-office$/m),
      },
      library: {
        code: 0,
        output: expect.stringMatching(/^created libs\/ledger .* Import it as @app\/ledger;/),
      },
      plugin: { code: 0, output: expect.stringContaining('created apps/api/src/price-list, and listed it') },
      resource: { code: 0, output: expect.stringContaining('created apps/api/src/parking-tickets') },
      projects: { code: 0, output: expect.stringContaining('created apps/api/src/projects') },
      tasks: { code: 0, output: expect.stringContaining('created apps/api/src/tasks') },
      boards: { code: 0, output: expect.stringContaining('created apps/api/src/boards') },
      cards: { code: 0, output: expect.stringContaining('created apps/api/src/cards') },
      fields: {
        code: 0,
        output: expect.stringMatching(
          /^added to \/tasks, with the migrations \S+ and \S+-index\. Run its tests:/m,
        ),
      },
    });
    const written = ['contract.lock.json', 'apps/api/openapi.json', 'libs/client/src/api.ts'];
    for (const path of written) expect(results.fields.output).toContain(`written   ${path}\n`);
    expect(results.fields.output).toMatch(/^new {7}back-office: \d+ routes$/m);
    expect(results.fields.output).not.toContain('wider     back-office');
  });

  it('are formatted', async () => {
    const prettier = 'node_modules/prettier/bin/prettier.cjs';
    expect(await onChangedFiles(prettier, ['--check'], () => true)).toMatchObject({ code: 0 });
  });

  it('have no lint errors', async () => {
    const linted = await onChangedFiles('node_modules/oxlint/bin/oxlint', ['--type-aware'], isSource);
    expect(linted).toMatchObject({ code: 0, output: expect.stringContaining('0 errors') });
  });

  it('pass npm run types', async () => {
    expect(await npm('types')).toMatchObject({ code: 0 });
  });

  // tools/create/contributing.full.spec.ts runs the other tests with generated files.
  it('pass their own tests, and those of descriptions and generated files', async () => {
    const suites = [
      'apps/back-office',
      'libs/ledger',
      'apps/api/src/price-list',
      ...resources,
      'test/descriptions.spec.ts',
      'test/generated.spec.ts',
    ];
    expect(await passingFiles(['sqlite', 'workspace'], suites)).toEqual([0, '11 passed']);
  });

  it('pass their own tests on PostgreSQL, in which each order of a list has an index', async () => {
    expect(await passingFiles(['postgres'], resources)).toEqual([0, '5 passed']);
  });

  const resources = ['parking-tickets', 'projects', 'tasks', 'boards', 'cards'].map(
    (name) => `apps/api/src/${name}`,
  );

  /** Runs in a single process, because other tests run at the same time. */
  async function passingFiles(projects: readonly string[], suites: readonly string[]) {
    const projectOptions = projects.flatMap((project) => ['--project', project]);
    const { code, output } = await npm('test', '--maxWorkers=1', ...projectOptions, ...suites);
    return [code, code === 0 ? /Test Files .*?(\d+ passed)/.exec(output)?.[1] : output.slice(-5_000)];
  }
});

describe('a new application', () => {
  let database: TemporaryDatabase;
  beforeEach(async () => (database = await temporaryDatabase()));
  afterEach(endProcesses);
  afterEach(() => database.remove());

  it.each(['webpack', 'tsc'])('is built by %s, and runs', async (builder) => {
    expect(await npm('build', 'back-office', '-b', builder)).toMatchObject({ code: 0 });
    const program = await startProgram(copy.path, 'back-office', { DATABASE_URL: database.url });
    const { text } = await new Client(program.url).get('/');
    expect(text).toMatch(/^sluice \d+\.\d+\.\d+ \(back-office\)$/);
    expect(await program.stop()).toBe(0);
  });

  it('is built by swc together with the others', async () => {
    const { code, output } = await npm('build:all', '-b', 'swc');
    expect([code, output]).toEqual([0, expect.stringContaining('compiled')]);
    for (const name of ['api', 'admin', 'back-office']) {
      const entry = await readFile(join(copy.path, `dist/apps/${name}/main.js`), 'utf8');
      expect(entry).toContain(`./apps/${name}/src/main.js`);
    }
  });

  it('answers as the guide says, with the samples of Nest in it', async () => {
    const { requests, responses } = await readMovedSamples();
    const { url } = await startProgram(copy.path, 'back-office', { DATABASE_URL: database.url });
    const pasted = requests.replaceAll('localhost:3000', new URL(url).host);
    const env = { ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };
    expect(await run('sh', ['-c', pasted], { cwd: copy.path, env })).toEqual({ code: 0, output: responses });
  });
});

describe('new resources', () => {
  let database: TemporaryDatabase;
  let product: Product;
  beforeAll(async () => {
    database = await temporaryDatabase();
    product = { copy, ...(await startProgram(copy.path, 'api', { DATABASE_URL: database.url })) };
  });
  afterAll(endProcesses);
  afterAll(() => database.remove());

  it('are served by the built program', async () => {
    const admin = await new Client(product.url).signIn(administrator.email, administrator.password);
    const ticket = { title: 'a ticket', seats: 2, isOpen: true, dueAt: '2026-11-21T09:30:00Z' };
    const { status, json } = await admin.post('/parking-tickets', ticket);
    expect([status, json]).toEqual([
      201,
      {
        id: 1,
        ...ticket,
        note: null,
        dueAt: '2026-11-21T09:30:00.000Z',
        endedAt: null,
        createdAt: expect.any(String),
      },
    ]);
  });

  productBehaves(() => product);
});

describe('new resource', () => {
  it('explains itself, and lists what it would create without writing it', async () => {
    const before = await copy.changed();
    expect(await npm('new', 'resource', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('--owned'),
    });
    const { code, output } = await npm('new', 'resource', 'person', 'name:text', '--dry-run');
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('would create apps/api/src/people/people.dto.ts'),
    ]);
    expect(await copy.changed()).toEqual(before);
  });
});

describe('new field', () => {
  const store = 'apps/api/src/tasks/tasks.store.ts';

  it('explains itself, and shows what it would change without writing it', async () => {
    const before = await copy.changed();
    expect(await npm('new', 'field', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining("npm run new field tasks 'dueOn:date?' priority:integer=0"),
    });
    const { code, output } = await npm('new', 'field', 'tasks', 'rank:integer=1', '--dry-run');
    expect([code, output]).toEqual([0, expect.stringContaining('+  rank: number = 1;')]);
    expect(output).toMatch(/^would create apps\/api\/src\/tasks\/\d{4}-tasks-rank\.migration\.ts$/m);
    expect(await copy.changed()).toEqual(before);
  });

  it('writes nothing if a file has another shape, and says what to add by hand', async () => {
    const path = join(copy.path, store);
    const [generated, before] = [await readFile(path, 'utf8'), await textsIn('apps/api/src/tasks')];
    await writeFile(path, generated.replace('const changes =', 'const changed ='));
    const { code, output } = await npm('new', 'field', 'tasks', 'rank:integer=1');
    const byHand = `  ${store}: write rank in inserts, and rank in updates if it is given`;
    expect([code, output]).toEqual([1, expect.stringContaining(byHand)]);
    await writeFile(path, generated);
    expect(await textsIn('apps/api/src/tasks')).toEqual(before);
  });

  it('leaves a file of another shape as it is, if it has the field', async () => {
    const path = join(copy.path, store);
    const generated = await readFile(path, 'utf8');
    await writeFile(path, generated.replace('const changes = {', 'const changed = { rank,'));
    const { code, output } = await npm('new', 'field', 'tasks', 'rank:integer=1', '--dry-run');
    expect([code, output]).toEqual([0, expect.not.stringContaining(store)]);
    await writeFile(path, generated);
  });

  async function textsIn(folder: string): Promise<string[]> {
    const names = await readdir(join(copy.path, folder));
    return Promise.all(names.map((name) => readFile(join(copy.path, folder, name), 'utf8')));
  }
});

describe('a command that cannot create what its arguments name', () => {
  it.each([
    [['app', 'api'], 'api is taken: see "projects" in nest-cli.json'],
    [
      ['lib', 'attic', '--layer', 'roof'],
      `no layer is called "roof": ${Object.keys(layout.layers).join(', ')}`,
    ],
    [['resource', 'item', 'title:text'], 'apps/api/src/items already exists'],
    [['field', 'tasks', 'title:text?'], 'tasks have title already'],
    [
      ['field', 'cards', 'origin:ref:boards?'],
      'originId: SQLite cannot add a key with two columns to a table',
    ],
    [['resource', 'trip', 'title:text', '--tenant', '--owned'], 'give --owned or --tenant'],
  ])('says so in one line: %j', async (words, complaint) => {
    const { code, output } = await npm('new', ...words);
    expect([code, output]).toEqual([1, expect.stringContaining(complaint)]);
    expect(output).not.toContain('\n');
  });
});

function isSource(path: string): boolean {
  return /\.m?ts$/.test(path) && path !== 'libs/client/src/api.ts';
}
