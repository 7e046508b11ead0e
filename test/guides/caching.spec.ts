import {
  CachedPrices,
  KeptPricesController,
  PricesController,
  PricesStore,
} from '../../docs/guides/caching.md';
import { bootGuide } from './boot-guide';

const tea = { sku: 'tea', cents: 450 };

describe('docs/guides/caching.md', () => {
  const program = bootGuide({
    controllers: [PricesController, KeptPricesController],
    providers: [PricesStore, CachedPrices],
  });
  const reads = (): number => program.app().get(PricesStore).reads;

  it('sends an unchanged response as a 304', async () => {
    const caller = await program.administrator();
    const first = await caller.get('/prices/current');
    expect([first.json, first.headers.get('cache-control')]).toEqual([tea, 'private, no-cache']);
    const etag = first.headers.get('etag') ?? '';
    const second = await caller.with({ 'if-none-match': etag }).get('/prices/current');
    expect([second.status, second.text]).toEqual([304, '']);
    expect((await program().with({ 'if-none-match': etag }).get('/prices/current')).status).toBe(401);
  });

  it('lets proxies keep a public response', async () => {
    const { json, headers } = await program().get('/prices/public');
    expect([json, headers.get('cache-control')]).toEqual([tea, 'public, max-age=60']);
  });

  it('queries the store once for concurrent requests, and again after a change', async () => {
    const caller = await program.administrator();
    const before = reads();
    const replies = await Promise.all([1, 2, 3].map(() => caller.get('/kept-prices/current')));
    expect(replies.map(({ json }) => json)).toEqual([tea, tea, tea]);
    expect(reads() - before).toBe(1);
    program.app().get(CachedPrices).forget();
    await caller.get('/kept-prices/current');
    expect(reads() - before).toBe(2);
  });
});
