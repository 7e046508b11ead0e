import { temporaryDatabase } from '@app/persistence/testing';
import { administrator, Client } from '@app/service/testing';
import { endProcesses, run } from './processes';
import { startProgram } from './programs';
import { copyWorkspace, type WorkspaceCopy } from './workspace-copy';

let copy: WorkspaceCopy;
let made: { code: number; output: string };
beforeAll(async () => {
  copy = await copyWorkspace();
  const fields = [
    'title:text:unique',
    'seats:whole',
    'note:text?',
    'isOpen:flag',
    'dueAt:moment',
    'endedAt:moment?',
  ];
  made = await npm('new:resource', 'parking-ticket', ...fields);
});
afterEach(endProcesses);
afterAll(() => copy.remove());

function npm(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
  return run('npm', ['run', '--silent', script, '--', ...args], { cwd: copy.path });
}

describe('a new resource', () => {
  it('is created, with a hint how to continue', () => {
    expect(made).toEqual({
      code: 0,
      output: expect.stringContaining('created apps/api/src/parking-tickets'),
    });
    const written = ['contract.lock.json', 'apps/api/openapi.json', 'libs/client/src/api.ts'];
    for (const path of written) expect(made.output).toContain(`written   ${path}\n`);
  });

  it.each(['format:check', 'lint', 'types'])('passes npm run %s', async (script) => {
    expect(await npm(script)).toEqual({ code: 0, output: expect.any(String) });
  });

  it('passes its own tests on both stores, and those of the layout, of public routes and of leaks', async () => {
    const projects = ['sqlite', 'postgres', 'workspace'].flatMap((project) => ['--project', project]);
    const suites = [
      'apps/api/test/public-routes.spec.ts',
      'apps/api/test/leaks.spec.ts',
      'libs/persistence/testing/secrecy.spec.ts',
      'test/layout.spec.ts',
      'test/contract.spec.ts',
      'apps/api/test/openapi.spec.ts',
      'test/generated.spec.ts',
    ];
    const paths = ['apps/api/src/parking-tickets', ...suites];
    const { code, output } = await npm('test', ...projects, ...paths);
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files .*13 passed/)]);
  });

  it('is served by the built program', async () => {
    expect(await npm('build')).toMatchObject({ code: 0 });
    const database = await temporaryDatabase();
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
    await endProcesses();
    await database.remove();
  });
});

describe('a resource that cannot be created', () => {
  it.each([
    [[], 'a name is missing: lowercase words'],
    [['ticket'], 'a resource needs at least one field, such as title:text'],
    [
      ['ticket', 'title'],
      '"title" is no field: name:type, with ? or :unique after it; types: text, whole, flag, moment',
    ],
    [['ticket', 'id:whole'], 'a field cannot be called id'],
    [['ticket', 'class:text'], 'a field cannot be called class'],
    [['ticket', 'title:text', 'title:whole'], 'the field title is given twice'],
    [['ticket', 'due:moment'], 'due:moment: a moment is called …At, such as dueAt'],
    [['ticket', 'open:flag'], 'open:flag: a flag is called is…, such as isOpen'],
    [['item', 'title:text'], 'apps/api/src/items already exists'],
    [['date', 'title:text'], 'a class Date would shadow an existing Date'],
  ])('is rejected in one line: %j', async (args, complaint) => {
    const { code, output } = await npm('new:resource', ...args);
    expect([code, output]).toEqual([1, expect.stringContaining(complaint)]);
    expect(output).not.toContain('\n');
  });
});
