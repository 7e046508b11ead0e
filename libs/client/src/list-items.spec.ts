import { listItems } from './list-items';

/** The types of an application with a list below a parameter. */
interface Paths {
  '/projects/{project}/tasks': {
    get: {
      parameters: { query?: { limit?: number; state?: string[] }; path: { project: string } };
      responses: { 200: { content: { 'application/json': { items: { id: number }[] } } } };
    };
  };
  '/projects/{project}': {
    get: { parameters: { query?: never; path: { project: string } }; responses: { 200: object } };
  };
}

describe('the lists of a client', () => {
  it('are read below the parameters of a path', async () => {
    const sent: string[] = [];
    const items = listItems<Paths>('http://localhost/v1/', async ({ url }) => {
      sent.push(url);
      const link = '</projects/a%2Fb/tasks?limit=2&cursor=c>; rel="next"';
      const headers = sent.length < 2 ? { link } : undefined;
      return Response.json({ items: [{ id: sent.length }] }, { headers });
    });
    const ids: number[] = [];
    const query = { limit: 2, state: ['open', 'done'] };
    for await (const { id } of items('/projects/{project}/tasks', query, { project: 'a/b' })) ids.push(id);
    expect(ids).toEqual([1, 2]);
    expect(sent).toEqual([
      'http://localhost/v1/projects/a%2Fb/tasks?limit=2&state=open&state=done',
      'http://localhost/v1/projects/a%2Fb/tasks?limit=2&cursor=c',
    ]);
    // @ts-expect-error: the path has a parameter
    items('/projects/{project}/tasks', query);
    // @ts-expect-error: the route sends no list
    items('/projects/{project}', undefined, { project: 'a' });
  });
});
