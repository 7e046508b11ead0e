import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Reply } from '@app/service/testing';
import type { WorkspaceCopy } from './workspace-copy';

/** The arguments that create a product with two resources. Each caller has projects, and tasks in them. */
export const projectFields = ['project', 'name:text', 'budget:decimal?', '--owned'];
export const taskFields = [
  'task',
  'title:text',
  'project:ref:projects',
  'status:one-of(open,done)',
  '--owned',
];

/** The fields that are added to tasks later. Each field type appears once. */
export const addedFields = [
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
  'place:text',
  '--default',
  'place=unknown',
];

/** A workspace with the product and its running program. */
export interface Product {
  readonly copy: WorkspaceCopy;
  readonly url: string;
}

/** Values for the added fields, as the program sends them. */
const added = {
  dueOn: '2026-11-30',
  priority: 3,
  isUrgent: true,
  startsAt: '2026-11-25T08:00:00.000Z',
  cost: '1200.50',
  size: 'l',
  code: 'A-1',
  settings: { color: 'red' },
  steps: [{ name: 'saw', minutes: 20, kind: 'do' }],
};

/** The values that the program sends for absent fields. */
const defaults = {
  dueOn: null,
  priority: 0,
  isUrgent: false,
  startsAt: null,
  cost: '0.00',
  size: 's',
  code: null,
  originId: null,
  settings: null,
  steps: [],
};

const wrong = {
  dueOn: '2026-02-30',
  priority: 1.5,
  isUrgent: 'true',
  startsAt: '2026-11-25',
  cost: 'much',
  size: 'm',
  code: '',
  originId: 0,
  settings: [],
  steps: [{ name: 'saw' }],
  place: '',
};

/** Tests the product that the commands alone created. */
export function productBehaves(product: () => Product): void {
  it('need no line by hand', async () => {
    const { copy } = product();
    expect(await copy.linesSinceMark(['apps/api', 'libs'])).toBe(0);
  });

  it('belong to their caller, and are sorted and filtered', async () => {
    const [owner, stranger] = await Promise.all([signUp('ada@example.com'), signUp('bob@example.com')]);
    const projectId = await newProject(owner);
    const task = { title: 'Buy wood', projectId, status: 'open', place: 'harbour', dueOn: '2026-11-30' };
    const created = await owner.post('/tasks', task);
    expect([created.status, created.json]).toMatchObject([201, task]);
    const place = created.headers.get('location') ?? '';
    expect((await owner.patch(place, { status: 'done', dueOn: null })).json).toMatchObject({
      status: 'done',
      dueOn: null,
    });
    const early = { ...task, title: 'Draw a plan', dueOn: '2026-11-25', priority: 1, isUrgent: true };
    expect((await owner.post('/tasks', early)).status).toBe(201);
    const list = async (query: string) => titlesOf(await owner.get(`/tasks?${query}`));
    expect(await list(`sort=dueOn&projectId=${projectId}`)).toEqual(['Draw a plan', 'Buy wood']);
    expect(await list('sort=-priority')).toEqual(['Draw a plan', 'Buy wood']);
    expect(await list('isUrgent=false')).toEqual(['Buy wood']);
    expect((await owner.get('/tasks?sort=projectId')).status).toBe(400);
    expect((await stranger.get(place)).status).toBe(404);
    expect((await stranger.post('/tasks', task)).status).toBe(422);
    expect((await owner.delete(`/projects/${projectId}`)).status).toBe(204);
    expect((await owner.get(place)).status).toBe(404);
  });

  it('accept, send and change every field that was added, and reject its wrong values', async () => {
    const owner = await signUp('eve@example.com');
    const projectId = await newProject(owner);
    const task = { title: 'Buy wood', projectId, status: 'open', place: 'harbour' };
    expect((await owner.post('/tasks', task)).json).toMatchObject({ ...task, ...defaults });
    const full = { ...task, ...added, originId: projectId };
    const { status, json, headers } = await owner.post('/tasks', full);
    expect([status, json]).toMatchObject([201, full]);
    const place = headers.get('location') ?? '';
    expect((await owner.patch(place, { ...defaults, code: 'A-2' })).json).toMatchObject({
      ...defaults,
      code: 'A-2',
    });
    expect((await owner.post('/tasks', { ...task, place: undefined })).status).toBe(400);
    for (const [name, value] of Object.entries(wrong)) {
      const replies = [
        await owner.post('/tasks', { ...task, [name]: value }),
        await owner.patch(place, { [name]: value }),
      ];
      const refusal = { message: expect.arrayContaining([expect.stringContaining(name)]) };
      expect(replies.map((reply) => [reply.status, reply.json])).toMatchObject([
        [400, refusal],
        [400, refusal],
      ]);
    }
  });

  it('are in the OpenAPI document, the lock and the client with every field that was added', async () => {
    const { copy } = product();
    const read = (path: string) => readFile(join(copy.path, path), 'utf8');
    const { components } = JSON.parse(await read('apps/api/openapi.json'));
    const lock = JSON.parse(await read('contract.lock.json')).api['POST /tasks'];
    const [type = ''] =
      /^ {4,8}CreateTask: \{[^]*?^ {4,8}\};$/m.exec(await read('libs/client/src/api.ts')) ?? [];
    for (const name of Object.keys(wrong)) {
      expect(components.schemas.CreateTask.properties).toHaveProperty(name);
      expect(components.schemas.Task.properties).toHaveProperty(name);
      expect(Object.keys(lock.accepts).some((place) => place.startsWith(`body.${name}`))).toBe(true);
      expect(lock.sends.some((member: string) => member.startsWith(name))).toBe(true);
      expect(type).toMatch(new RegExp(`^ +${name}\\??: `, 'm'));
    }
  });

  function titlesOf({ json }: Reply): string[] {
    return json.items.map(({ title }: { title: string }) => title);
  }

  async function newProject(owner: Client): Promise<number> {
    return (await owner.post('/projects', { name: 'A boat', budget: '1200.50' })).json.id;
  }

  async function signUp(email: string): Promise<Client> {
    const password = 'correct horse battery staple';
    const client = new Client(product().url);
    await client.post('/users', { email, password });
    return client.signIn(email, password);
  }
}
