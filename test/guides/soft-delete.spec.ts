import {
  TemplatesController,
  templatesJob,
  TemplatesStore,
  templateTable,
} from '../../docs/guides/data-patterns.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/data-patterns.md', () => {
  const program = bootGuide({
    controllers: [TemplatesController],
    providers: [TemplatesStore, templatesJob],
    tables: [templateTable],
  });
  const namesOf = async () => {
    const { json } = await (await program.administrator()).get('/templates');
    return json.items.map(({ name }: { name: string }) => name);
  };

  it('keeps a deleted row, which its name does not block, until it is restored or 30 days old', async () => {
    const caller = await program.administrator();
    const { json: first } = await caller.post('/templates', { name: 'letter' });
    expect((await caller.post('/templates', { name: 'letter' })).status).toBe(409);
    expect((await caller.delete(`/templates/${first.id}`)).status).toBe(204);
    expect((await caller.delete(`/templates/${first.id}`)).status).toBe(404);
    expect(await namesOf()).toEqual([]);

    const { json: second } = await caller.post('/templates', { name: 'letter' });
    expect((await caller.post(`/templates/${first.id}/restoration`)).status).toBe(409);
    await caller.delete(`/templates/${second.id}`);
    expect((await caller.post(`/templates/${first.id}/restoration`)).json).toEqual(first);
    expect((await caller.post(`/templates/${first.id}/restoration`)).status).toBe(404);
    expect(await namesOf()).toEqual(['letter']);

    const store = program.app().get(TemplatesStore);
    expect(await store.deleteOlder(new Date(Date.now() - 60_000), 10)).toBe(0);
    expect(await store.deleteOlder(new Date(Date.now() + 60_000), 10)).toBe(1);
    expect((await caller.post(`/templates/${second.id}/restoration`)).status).toBe(404);
    expect(await namesOf()).toEqual(['letter']);
  });
});
