import { UniqueViolationError } from './errors';
import { unlessTaken } from './unless-taken';

describe('unlessTaken', () => {
  it('gives what the write gave', async () => {
    expect(await unlessTaken('item_sku_unique', Promise.resolve(7), taken)).toBe(7);
  });

  it("throws the caller's error when the constraint was broken", async () => {
    const cause = new UniqueViolationError('item_sku_unique');

    await expect(unlessTaken('item_sku_unique', Promise.reject(cause), taken)).rejects.toMatchObject({
      message: 'sku is taken',
      cause,
    });
  });

  it('throws every other error as it was', async () => {
    const others = [new UniqueViolationError('post_slug_unique'), new Error('something else')];

    for (const other of others) {
      await expect(unlessTaken('item_sku_unique', Promise.reject(other), taken)).rejects.toBe(other);
    }
  });
});

function taken(cause: Error): Error {
  return new Error('sku is taken', { cause });
}
