import { UniqueViolationError } from './errors';
import { mapUniqueViolation } from './map-unique-violation';

describe('mapUniqueViolation', () => {
  it('returns the result of the write', async () => {
    expect(await mapUniqueViolation('sample_product_sku_unique', Promise.resolve(7), taken)).toBe(7);
  });

  it("throws the caller's error when the constraint was violated", async () => {
    const cause = new UniqueViolationError('sample_product_sku_unique');

    await expect(
      mapUniqueViolation('sample_product_sku_unique', Promise.reject(cause), taken),
    ).rejects.toMatchObject({
      message: 'sku is taken',
      cause,
    });
  });

  it('rethrows every other error unchanged', async () => {
    const others = [new UniqueViolationError('sample_article_slug_unique'), new Error('something else')];

    for (const error of others) {
      await expect(
        mapUniqueViolation('sample_product_sku_unique', Promise.reject(error), taken),
      ).rejects.toBe(error);
    }
  });
});

function taken(cause: Error): Error {
  return new Error('sku is taken', { cause });
}
