import { type Client, newEmail } from '@app/service/testing';
import { bootApi } from '../../testing/boot-api';

describe('items', () => {
  const api = bootApi();
  let admin: Client;
  let reader: Client;

  beforeAll(async () => {
    admin = await api.administrator();
    reader = await api.newcomer();
    for (let n = 1; n <= 25; n += 1)
      await admin.post('/items', { sku: `sku-${n}`, name: `Item ${n}`, price: n * 100 });
  });

  const skus = (page: { items: { sku: string }[] }) => page.items.map(({ sku }) => sku);

  it('lists ten per page for every signed-in user', async () => {
    const { status, json } = await reader.get('/items');
    expect(status).toBe(200);
    expect(json).toMatchObject({ page: 1, limit: 10, nextPage: 2 });
    expect(Object.keys(json)).toEqual(['items', 'page', 'limit', 'nextPage']);
    expect(Object.keys(json.items[0])).toEqual(['id', 'sku', 'name', 'price', 'createdAt']);
    expect(json.items[0]).toMatchObject({ sku: 'sku-1', name: 'Item 1', price: 100 });
  });

  it('marks the last page', async () => {
    const { json, headers } = await reader.get('/items?limit=10&page=3');
    expect(json).toMatchObject({ page: 3, nextPage: null });
    expect(json.items).toHaveLength(5);
    expect(headers.get('link')).toBe(
      '</items?limit=10&page=1>; rel="first", </items?limit=10&page=2>; rel="prev"',
    );
  });

  it('returns an empty page after the last one', async () => {
    const { status, json } = await reader.get('/items?page=1001');
    expect([status, json.items, json.nextPage]).toEqual([200, [], null]);
  });

  it('rejects an offset over 10,000 rows, and names the cursor', async () => {
    for (const deep of ['limit=10&page=1002', 'limit=100&page=102', 'limit=1&page=9007199254740993']) {
      const { status, json } = await reader.get(`/items?${deep}`);
      expect([status, json]).toEqual([
        400,
        {
          statusCode: 400,
          message: [
            'page must not skip more than 10000 rows; follow the next link of the Link header instead, which has a cursor',
          ],
          error: 'Bad Request',
        },
      ]);
    }
  });

  it('does not confuse an id that is too large with another', async () => {
    const { status } = await reader.get('/items/9007199254740993');
    expect(status).toBe(404);
  });

  it('pages by cursor without a limit', async () => {
    const first = await reader.get('/items?limit=10');
    const [, after] = /after=([\w-]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    const { status, json, headers } = await reader.get(`/items?limit=10&page=5000&after=${after}`);
    expect([status, json.items.length, json.page]).toEqual([200, 10, 5000]);
    expect(headers.get('link')).not.toContain('rel="prev"');
  });

  it('pages by cursor with the link to the next page', async () => {
    const first = await reader.get('/items?limit=10');
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next).toMatch(/^\/items\?limit=10&page=2&after=[\w-]+$/);
    await admin.delete(`/items/${first.json.items[0].id}`);

    const second = await reader.get(next);
    expect(skus(second.json)).toEqual(Array.from({ length: 10 }, (_, n) => `sku-${n + 11}`));
    expect(second.json.page).toBe(2);
  });

  it('accepts digits only as a number', async () => {
    for (const limit of ['1e1', '%2010%20', '0x0a', '10.0', '', '-1', '0', '101', 'ten', '10&limit=20']) {
      const { status } = await reader.get(`/items?limit=${limit}`);
      expect([limit, status]).toEqual([limit, 400]);
    }
    for (const page of ['0', '1e1', '', '-1']) {
      const { status } = await reader.get(`/items?page=${page}`);
      expect([page, status]).toEqual([page, 400]);
    }
  });

  it('rejects a limit out of range', async () => {
    expect((await reader.get('/items?limit=101')).json.message).toEqual([
      'limit must not be greater than 100',
    ]);
    expect((await reader.get('/items?limit=0')).json.message).toEqual(['limit must not be less than 1']);
  });

  it('rejects a forged cursor', async () => {
    for (const after of ['abc', '%00', '!!', 'eyJpZCI6MX0']) {
      expect([after, (await reader.get(`/items?after=${after}`)).status]).toEqual([after, 400]);
    }
  });

  it('rejects an unknown query parameter', async () => {
    const { status, json } = await reader.get('/items?colour=red');
    expect([status, json.message]).toEqual([400, ['property colour should not exist']]);
  });

  it('is changed by administrators only', async () => {
    const item = { sku: newEmail('sku'), name: 'Tea', price: 1 };
    expect((await reader.post('/items', item)).status).toBe(403);
    expect((await reader.delete('/items/1')).status).toBe(403);
    expect((await reader.patch('/items/1', { price: 2 })).status).toBe(403);
  });

  it('rejects a sku that is taken', async () => {
    const { status, json } = await admin.post('/items', { sku: 'sku-2', name: 'Again', price: 1 });
    expect([status, json.message]).toEqual([409, 'sku is already taken']);
  });

  it('requires a price that is an integer, in minor units', async () => {
    for (const price of [1.5, -1, '100', null, 2 ** 53, true]) {
      const { status } = await admin.post('/items', { sku: newEmail('sku'), name: 'Tea', price });
      expect([price, status]).toEqual([price, 400]);
    }
    const dear = { sku: newEmail('sku'), name: 'Tea', price: Number.MAX_SAFE_INTEGER };
    expect((await admin.post('/items', dear)).json.price).toBe(dear.price);
  });

  it('updates the given fields only', async () => {
    const item = (await admin.post('/items', { sku: newEmail('sku'), name: 'Tea', price: 5 })).json;
    const path = `/items/${item.id}`;
    expect((await admin.patch(path, { name: 'Green tea' })).json).toEqual({ ...item, name: 'Green tea' });
    expect((await admin.patch(path, {})).json).toEqual({ ...item, name: 'Green tea' });
    expect((await admin.patch(path, { name: null })).status).toBe(400);
    expect((await admin.patch('/items/999999999', { price: 1 })).status).toBe(404);
  });

  it('rejects text that cannot be stored', async () => {
    const { status, json } = await admin.post('/items', { sku: 'a\0b', name: 'Tea', price: 5 });
    expect([status, json.error]).toEqual([400, 'Bad Request']);
  });
});
