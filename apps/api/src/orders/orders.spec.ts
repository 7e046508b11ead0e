import { bootApi } from '../../testing/boot-api';

describe('orders', () => {
  const api = bootApi();

  it('rejects a body without a list of items', async () => {
    const client = await api.newcomer();
    const { status, json } = await client.post('/orders', { items: 'tea' });
    expect(status).toBe(400);
    expect(json.message).toContain('items must be an array');
    expect((await client.post('/orders', {})).json.message).toEqual(['items must be an array']);
  });

  it('rejects elements that are not objects', async () => {
    const client = await api.newcomer();
    for (const element of [1, 'tea', null, true, []]) {
      const { status } = await client.post('/orders', { items: [element] });
      expect([element, status]).toEqual([element, 400]);
    }
  });

  it('reports each violated rule with the index of its element', async () => {
    const client = await api.newcomer();
    const { json } = await client.post('/orders', { items: [{ sku: 1, quantity: '1', gift: true }] });
    expect(json.message).toEqual(['items.0.property gift should not exist', 'items.0.sku must be a string']);
  });

  it('rejects more than 200 lines', async () => {
    const client = await api.newcomer();
    const lines = (count: number) => Array.from({ length: count }, () => ({ sku: 's', quantity: '1' }));
    expect((await client.post('/orders', { items: lines(200) })).status).toBe(201);
    const { status, json } = await client.post('/orders', { items: lines(201) });
    expect([status, json.message]).toEqual([400, ['items must contain no more than 200 elements']]);
  });

  it('limits a page by the texts of its lines, and continues there', async () => {
    const client = await api.newcomer();
    const ids: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      const items = Array.from({ length: 200 }, (_, n) => ({ sku: `sku-${n}`, quantity: '1' }));
      ids.unshift((await client.post('/orders', { items })).json.id);
    }
    const pages: number[][] = [];
    let next: string | undefined = '/orders?limit=100';
    while (next !== undefined) {
      const { json, headers } = await client.get(next);
      pages.push(json.items.map(({ id }: { id: number }) => ids.indexOf(id)));
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.flat()).toEqual([...ids.keys()]);
    expect(pages.length).toBeGreaterThan(1);
  });

  it('limits a page by the size of its texts', async () => {
    const client = await api.newcomer();
    for (let n = 0; n < 5; n += 1)
      await client.post('/orders', { items: [{ sku: 'x'.repeat(90_000), quantity: '1' }] });
    const { json, headers } = await client.get('/orders?limit=5');
    expect(json.items).toHaveLength(2);
    expect(headers.get('link')).toContain('rel="next"');
  });

  it('accepts an order without items', async () => {
    const client = await api.newcomer();
    expect((await client.post('/orders', { items: [] })).json.items).toEqual([]);
  });

  it('keeps the order of the lines', async () => {
    const client = await api.newcomer();
    const items = Array.from({ length: 200 }, (_, n) => ({ sku: `sku-${199 - n}`, quantity: String(n) }));
    const created = await client.post('/orders', { items });
    expect(created.status).toBe(201);
    expect((await client.get(`/orders/${created.json.id}`)).json.items).toEqual(items);
  });

  it('shows an order to its owner only', async () => {
    const [owner, stranger] = [await api.newcomer(), await api.newcomer()];
    const { id } = (await owner.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] })).json;
    expect((await owner.get(`/orders/${id}`)).status).toBe(200);
    expect((await stranger.get(`/orders/${id}`)).status).toBe(404);
    expect((await stranger.get('/orders')).json.items).toEqual([]);
  });

  it('stores nothing of a rejected order', async () => {
    const client = await api.newcomer();
    const { status } = await client.post('/orders', {
      items: [
        { sku: 'tea', quantity: '1' },
        { sku: '\0', quantity: '1' },
      ],
    });
    expect(status).toBe(400);
    expect((await client.get('/orders')).json.items).toEqual([]);
  });

  it('lists the newest first, in pages', async () => {
    const client = await api.newcomer();
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await client.post('/orders', { items: [{ sku: `sku-${n}`, quantity: '1' }] })).json.id);
    }
    const first = await client.get('/orders?limit=2');
    expect(first.json.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 2));
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await client.get(next);
    expect(second.json.items.map(({ id }: { id: number }) => id)).toEqual(ids.slice(2));
    expect(second.json.items[0].items).toEqual([{ sku: 'sku-0', quantity: '1' }]);
  });
});
