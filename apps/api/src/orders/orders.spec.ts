import { bootApi } from '../../testing/boot-api';

describe('orders', () => {
  const api = bootApi();

  it('refuses what is no list of items', async () => {
    const client = await api.newcomer();
    const { status, json } = await client.post('/orders', { items: 'tea' });
    expect(status).toBe(400);
    expect(json.message).toContain('items must be an array');
    expect((await client.post('/orders', {})).json.message).toEqual(['items must be an array']);
  });

  it('refuses elements that are no objects', async () => {
    const client = await api.newcomer();
    for (const element of [1, 'tea', null, true, []]) {
      const { status } = await client.post('/orders', { items: [element] });
      expect([element, status]).toEqual([element, 400]);
    }
  });

  it('names each rule that an element breaks, by its place', async () => {
    const client = await api.newcomer();
    const { json } = await client.post('/orders', { items: [{ sku: 1, quantity: '1', gift: true }] });
    expect(json.message).toEqual(['items.0.property gift should not exist', 'items.0.sku must be a string']);
  });

  it('takes an order without items', async () => {
    const client = await api.newcomer();
    expect((await client.post('/orders', { items: [] })).json.items).toEqual([]);
  });

  it('keeps the lines in the order in which they were sent', async () => {
    const client = await api.newcomer();
    const items = Array.from({ length: 200 }, (_, n) => ({ sku: `sku-${199 - n}`, quantity: String(n) }));
    const made = await client.post('/orders', { items });
    expect(made.status).toBe(201);
    expect((await client.get(`/orders/${made.json.id}`)).json.items).toEqual(items);
  });

  it('shows an order to its owner alone', async () => {
    const [owner, other] = [await api.newcomer(), await api.newcomer()];
    const { id } = (await owner.post('/orders', { items: [{ sku: 'tea', quantity: '1' }] })).json;
    expect((await owner.get(`/orders/${id}`)).status).toBe(200);
    expect((await other.get(`/orders/${id}`)).status).toBe(404);
    expect((await other.get('/orders')).json.items).toEqual([]);
  });

  it('stores nothing of an order that it refuses', async () => {
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

  it('lists the newest first, a page at a time', async () => {
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
