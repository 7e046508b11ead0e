import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { administrator, Client, type Reply } from '@app/service/testing';
import { endProcesses, run } from './processes';
import { startProgram } from './programs';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

/** What a generator or a check printed, and its exit code. */
type Ended = { readonly code: number; readonly output: string };

const fields = [
  'title:text:unique',
  'seats:integer',
  'note:text?',
  'isOpen:boolean',
  'dueAt:timestamp',
  'endedAt:timestamp?',
];

let copy: WorkspaceCopy;
/** A product of two resources: each caller has projects, and tasks in them. */
const projectFields = ['project', 'name:text', 'budget:decimal?', '--owned'];
const taskFields = ['task', 'title:text', 'project:ref:projects', 'status:one-of(open,done)', '--owned'];
/** Added to tasks afterwards, one of each type. */
const addedFields = [
  'dueOn:date?',
  'priority:integer=0',
  'isUrgent:boolean=false',
  'startsAt:timestamp?',
  'cost:decimal=0.00',
  'size:one-of(s,l)=s',
  'code:text?:unique',
  'origin:ref:projects?',
  'settings:json?',
  'steps:list(name:text,minutes:integer,kind:one-of(plan,do))',
];

let made: Record<'application' | 'library' | 'resource' | 'projects' | 'tasks' | 'fields', Ended>;
let database: TemporaryDatabase;
beforeAll(async () => {
  copy = await copyWorkspace();
  made = {
    application: await npm('new:app', 'back-office'),
    library: await npm('new:lib', 'ledger', '--layer', 'domain'),
    resource: await npm('new:resource', 'parking-ticket', ...fields),
    projects: await npm('new:resource', ...projectFields),
    tasks: await npm('new:resource', ...taskFields),
    fields: await npm('new:field', 'tasks', ...addedFields),
  };
  await useLedger();
}, 600_000);
beforeEach(async () => (database = await temporaryDatabase()));
afterEach(endProcesses);
afterEach(() => database.remove());
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
  const path = join(copy.path, 'apps/back-office/src/app.module.ts');
  const text = await readFile(path, 'utf8');
  const changed = text
    .replace(`import { PersistenceModule,`, `import { LedgerModule } from '@app/ledger';\n$&`)
    .replace(`imports: [`, `$&\n        LedgerModule,`);
  await writeFile(path, changed);
}

describe('a new application, a new library in it, and a new resource', () => {
  it('are created, with a hint how to continue', () => {
    expect(made).toEqual({
      application: {
        code: 0,
        output: expect.stringMatching(/^created apps\/back-office\. Run it: npm start -- back-office$/m),
      },
      library: {
        code: 0,
        output: expect.stringMatching(/^created libs\/ledger .* Import it as @app\/ledger;/),
      },
      resource: { code: 0, output: expect.stringContaining('created apps/api/src/parking-tickets') },
      projects: { code: 0, output: expect.stringContaining('created apps/api/src/projects') },
      tasks: { code: 0, output: expect.stringContaining('created apps/api/src/tasks') },
      fields: {
        code: 0,
        output: expect.stringMatching(
          /^added to \/tasks, with the migrations \S+ and \S+-index\. Run its tests:/m,
        ),
      },
    });
    const written = ['contract.lock.json', 'apps/api/openapi.json', 'libs/client/src/api.ts'];
    for (const path of written) expect(made.resource.output).toContain(`written   ${path}\n`);
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

  it('pass their own tests on both stores, and those of the workspace, of public routes and of leaks', async () => {
    const projects = ['sqlite', 'postgres', 'workspace'].flatMap((project) => ['--project', project]);
    const suites = [
      'apps/back-office',
      'libs/ledger',
      'apps/api/src/parking-tickets',
      'apps/api/src/projects',
      'apps/api/src/tasks',
      'apps/api/test/public-routes.spec.ts',
      'apps/api/test/leaks.spec.ts',
      'apps/api/test/list-indexes.spec.ts',
      'apps/api/test/account-export.spec.ts',
      'apps/api/test/description.spec.ts',
      'apps/api/test/openapi.spec.ts',
      'libs/persistence/testing/secrecy.spec.ts',
      'test/layout.spec.ts',
      'test/workspace.spec.ts',
      'test/contract.spec.ts',
      'test/descriptions.spec.ts',
      'test/generated.spec.ts',
    ];
    const { code, output } = await npm('test', ...projects, ...suites);
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files .*28 passed/)]);
  });
});

describe('a new application', () => {
  it.each(['webpack', 'tsc', 'swc'])('is built by %s, and runs', async (builder) => {
    expect(await npm('build', 'back-office', '-b', builder)).toMatchObject({ code: 0 });
    const program = await startProgram(copy.path, 'back-office', { DATABASE_URL: database.url });
    const { text } = await new Client(program.url).get('/');
    expect(text).toMatch(/^sluice \d+\.\d+\.\d+ \(back-office\)$/);
    expect(await program.stop()).toBe(0);
  });

  it('is built together with the others', async () => {
    const { code, output } = await npm('build:all', '-b', 'swc');
    expect([code, output]).toEqual([0, expect.stringContaining('compiled')]);
    for (const name of ['api', 'admin', 'back-office']) {
      const entry = await readFile(join(copy.path, `dist/apps/${name}/main.js`), 'utf8');
      expect(entry).toContain(`./apps/${name}/src/main.js`);
    }
  });
});

describe('a new resource', () => {
  it('is served by the built program', async () => {
    expect(await npm('build', 'api')).toMatchObject({ code: 0 });
    const { url } = await startProgram(copy.path, 'api', { DATABASE_URL: database.url });
    const admin = await new Client(url).signIn(administrator.email, administrator.password);
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
});

describe('a product of two generated resources', () => {
  it('is served by the built program: each caller has projects, and tasks in them', async () => {
    const { url } = await startProgram(copy.path, 'api', { DATABASE_URL: database.url });
    const [owner, other] = await Promise.all(
      ['ada@example.com', 'bob@example.com'].map((email) => signUp(url, email)),
    );
    const { id: projectId } =
      (await owner?.post('/projects', { name: 'A boat', budget: '1200.50' }))?.json ?? {};
    const task = { title: 'Buy wood', projectId, status: 'open', dueOn: '2026-11-30' };
    const created = await owner?.post('/tasks', task);
    expect([created?.status, created?.json]).toMatchObject([201, task]);
    const place = created?.headers.get('location') ?? '';
    expect((await owner?.patch(place, { status: 'done', dueOn: null }))?.json).toMatchObject({
      status: 'done',
      dueOn: null,
    });
    const early = await owner?.post('/tasks', { ...task, title: 'Draw a plan', dueOn: '2026-11-25' });
    const sorted = await owner?.get(`/tasks?sort=dueOn&projectId=${projectId}`);
    expect(titlesOf(sorted)).toEqual(['Draw a plan', 'Buy wood']);
    expect(titlesOf(await owner?.get('/tasks?status=done'))).toEqual(['Buy wood']);
    expect((await owner?.get('/tasks?sort=projectId'))?.status).toBe(400);
    expect(early?.status).toBe(201);
    expect((await other?.get(place))?.status).toBe(404);
    expect((await other?.post('/tasks', task))?.status).toBe(422);
    expect((await owner?.delete(`/projects/${projectId}`))?.status).toBe(204);
    expect((await owner?.get(place))?.status).toBe(404);
  });

  function titlesOf(reply: Reply | undefined): string[] {
    return reply?.json.items.map(({ title }: { title: string }) => title);
  }

  async function signUp(url: string, email: string): Promise<Client> {
    const password = 'correct horse battery staple';
    await new Client(url).post('/users', { email, password });
    return new Client(url).signIn(email, password);
  }
});

describe('new:resource', () => {
  it('explains itself, and lists what it would create without writing it', async () => {
    const before = await copy.changed();
    expect(await npm('new:resource', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining('--owned'),
    });
    const { code, output } = await npm('new:resource', 'person', 'name:text', '--dry-run');
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('would create apps/api/src/people/people.dto.ts'),
    ]);
    expect(await copy.changed()).toEqual(before);
  });
});

describe('new:field', () => {
  const store = 'apps/api/src/tasks/tasks.store.ts';

  it('explains itself, and shows what it would change without writing it', async () => {
    const before = await copy.changed();
    expect(await npm('new:field', '--help')).toMatchObject({
      code: 0,
      output: expect.stringContaining("npm run new:field tasks 'dueOn:date?' priority:integer=0"),
    });
    const { code, output } = await npm('new:field', 'tasks', 'rank:integer=1', '--dry-run');
    expect([code, output]).toEqual([0, expect.stringContaining('+  rank: number = 1;')]);
    expect(output).toMatch(/^would create libs\/persistence\/src\/migrations\/\d{4}-tasks-rank\.ts$/m);
    expect(await copy.changed()).toEqual(before);
  });

  it('writes nothing if a file has another shape, and says what to add by hand', async () => {
    const path = join(copy.path, store);
    const [generated, before] = [await readFile(path, 'utf8'), await textsIn('apps/api/src/tasks')];
    await writeFile(path, generated.replace('const changes =', 'const changed ='));
    const { code, output } = await npm('new:field', 'tasks', 'rank:integer=1');
    const byHand = `  ${store}: write rank in inserts, and rank in updates if it is given`;
    expect([code, output]).toEqual([1, expect.stringContaining(byHand)]);
    await writeFile(path, generated);
    expect(await textsIn('apps/api/src/tasks')).toEqual(before);
  });

  it('leaves a file of another shape as it is, if it has the field', async () => {
    const path = join(copy.path, store);
    const generated = await readFile(path, 'utf8');
    await writeFile(path, generated.replace('const changes = {', 'const changed = { rank,'));
    const { code, output } = await npm('new:field', 'tasks', 'rank:integer=1', '--dry-run');
    expect([code, output]).toEqual([0, expect.not.stringContaining(store)]);
    await writeFile(path, generated);
  });

  async function textsIn(folder: string): Promise<string[]> {
    const names = await readdir(join(copy.path, folder));
    return Promise.all(names.map((name) => readFile(join(copy.path, folder, name), 'utf8')));
  }
});

describe('what cannot be created', () => {
  it.each([
    ['new:app', ['api'], 'api is taken: see "projects" in nest-cli.json'],
    ['new:lib', ['api'], 'api is taken: see "projects" in nest-cli.json'],
    ['new:app', ['Back_Office'], '"Back_Office" is not a valid name: lowercase words, joined by dashes'],
    ['new:app', [], 'a name is missing: lowercase words, joined by dashes'],
    [
      'new:lib',
      ['attic', '--layer', 'roof'],
      'no layer is called "roof": runtime, domain, capabilities, foundation',
    ],
    ['new:resource', [], 'a name is missing: lowercase words'],
    ['new:resource', ['ticket'], 'a resource needs at least one field, such as title:text'],
    [
      'new:resource',
      ['ticket', 'title'],
      '"title" is not a field: name:type, with ?, :unique or =value after it; types: text, integer, boolean, timestamp, date, decimal, json, one-of(open,done), ref:projects, list(name:text,quantity:integer)',
    ],
    ['new:resource', ['ticket', 'id:integer'], 'a field cannot be called id'],
    ['new:resource', ['ticket', 'class:text'], 'a field cannot be called class'],
    ['new:resource', ['ticket', 'title:text', 'title:integer'], 'the field title is given twice'],
    [
      'new:resource',
      ['ticket', 'due:timestamp'],
      'due:timestamp: the name of a timestamp ends with At, such as dueAt',
    ],
    [
      'new:resource',
      ['ticket', 'open:boolean'],
      'open:boolean: the name of a boolean starts with is, such as isOpen',
    ],
    ['new:resource', ['ticket', 'shop:ref:shops'], 'ref:shops: there is no resource shops with a table'],
    ['new:resource', ['ticket', 'item:ref:items'], 'apps/api/testing/samples/item.ts is missing'],
    ['new:resource', ['tickets', 'title:text'], 'tickets is a plural: give the singular, such as ticket'],
    ['new:resource', ['equipment', 'title:text'], 'equipment has no plural: give one by --plural'],
    ['new:resource', ['ticket', 'status:one-of(a,b):unique'], 'a choice cannot be unique'],
    ['new:resource', ['item', 'title:text'], 'apps/api/src/items already exists'],
    ['new:resource', ['date', 'title:text'], 'a class Date would shadow an existing Date'],
    ['new:field', [], 'the path of a resource is missing, such as tasks'],
    [
      'new:field',
      ['boats', 'name:text?'],
      'there is no resource boats: it needs a table, and apps/api/src/boats/',
    ],
    ['new:field', ['tasks'], 'a field is missing, such as dueOn:date?'],
    ['new:field', ['tasks', 'title:text?'], 'tasks have title already'],
    [
      'new:field',
      ['tasks', 'rank:integer'],
      'rank:integer is required, and rows that are there already would have no value: give them a default, such as rank:integer=0, or make it optional, rank:integer?',
    ],
  ])('is rejected in one line: %s %j', async (script, args, complaint) => {
    const { code, output } = await npm(script, ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(complaint)]);
    expect(output).not.toContain('\n');
  });
});

function isSource(path: string): boolean {
  return /\.m?ts$/.test(path) && path !== 'libs/client/src/api.ts';
}
