import { WriteQueue } from './write-queue';

describe('the write queue', () => {
  it('grants the lock in the order of the calls', async () => {
    const writeQueue = new WriteQueue();
    const release = await writeQueue.acquire(1_000);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      const releaseAgain = await writeQueue.acquire(1_000);
      order.push(number);
      releaseAgain?.();
    });

    release?.();
    await Promise.all(later);

    expect(order).toEqual([1, 2, 3]);
  });

  it('times out one waiter and still grants the lock to the next', async () => {
    const writeQueue = new WriteQueue();
    const release = await writeQueue.acquire(0);
    const impatient = writeQueue.acquire(1);
    const patient = writeQueue.acquire(10_000);

    expect(await impatient).toBeUndefined();
    release?.();
    expect(await patient).toBeTypeOf('function');
  });

  it('is free after the last release', async () => {
    const writeQueue = new WriteQueue();
    (await writeQueue.acquire(0))?.();

    expect(await writeQueue.acquire(0)).toBeTypeOf('function');
  });
});
