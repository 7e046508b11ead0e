import { bootApi } from '../../testing/boot-api';

let serial = 0;
const newSlug = () => `post-${process.pid}-${(serial += 1)}`;

describe('posts', () => {
  const api = bootApi();

  it('shows a post to every signed-in user', async () => {
    const [author, reader] = [await api.newcomer(), await api.newcomer()];
    const slug = newSlug();
    const created = await author.post('/posts', { slug });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/posts/${slug}`);
    expect(Object.keys(created.json)).toEqual(['id', 'slug', 'authorId', 'createdAt']);
    expect((await reader.get(`/posts/${slug}`)).json).toEqual(created.json);
    expect((await reader.get('/posts?limit=1')).json.items).toEqual([created.json]);
  });

  it('rejects invalid slugs', async () => {
    const client = await api.newcomer();
    for (const slug of ['Has Capitals', 'under_score', '', 'é', 'a\n', 1]) {
      const { status, json } = await client.post('/posts', { slug });
      expect(status).toBe(400);
      expect(json.message).toEqual(['slug must be lowercase letters, digits, and dashes only']);
    }
  });

  it('rejects a slug that is taken', async () => {
    const client = await api.newcomer();
    const [slug, otherSlug] = [newSlug(), newSlug()];
    await client.post('/posts', { slug });
    await client.post('/posts', { slug: otherSlug });
    expect((await client.post('/posts', { slug })).status).toBe(409);
    expect((await client.patch(`/posts/${otherSlug}`, { slug })).status).toBe(409);
  });

  it('is changed and deleted by its author and administrators only', async () => {
    const [author, stranger, admin] = [await api.newcomer(), await api.newcomer(), await api.administrator()];
    const [slug, renamed] = [newSlug(), newSlug()];
    await author.post('/posts', { slug });
    expect((await stranger.patch(`/posts/${slug}`, { slug: renamed })).status).toBe(403);
    expect((await author.patch(`/posts/${slug}`, { slug: renamed })).json.slug).toBe(renamed);
    expect((await stranger.delete(`/posts/${renamed}`)).status).toBe(403);
    expect((await admin.delete(`/posts/${renamed}`)).status).toBe(204);
    expect((await author.get(`/posts/${renamed}`)).status).toBe(404);
    expect((await author.delete(`/posts/${renamed}`)).status).toBe(404);
  });
});
