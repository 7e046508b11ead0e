import { ShipmentsStore, shipmentLineTable, shipmentTable } from '../../docs/guides/data-patterns.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/data-patterns.md', () => {
  const program = bootGuide({
    controllers: [],
    providers: [ShipmentsStore],
    tables: [shipmentTable, shipmentLineTable],
  });
  const linesOf = (count: number, sku = 'sku') =>
    Array.from({ length: count }, (_, n) => ({ sku: `${sku}-${n}`, quantity: '1' }));

  it('reads no more than a page may send, and goes on there', async () => {
    const store = program.app().get(ShipmentsStore);
    const inserted: { id: number }[] = [];
    for (const lines of [
      linesOf(10),
      linesOf(1000),
      linesOf(700),
      linesOf(2000),
      linesOf(3, 'é'.repeat(40_000)),
    ])
      inserted.unshift(await store.insert(lines));
    const pages: number[][] = [];
    let after: number | undefined;
    do {
      const { rows, isCut } = await store.list({ limit: 10, offset: 0, after });
      pages.push(rows.map((row: { id: number }) => inserted.findIndex(({ id }) => id === row.id)));
      for (const row of rows) expect(row).toEqual(inserted.find(({ id }) => id === row.id));
      after = isCut ? rows.at(-1)?.id : undefined;
    } while (after !== undefined);
    expect(pages).toEqual([[0], [1], [2], [3, 4]]);
  });
});
