import { WriteQueue } from './write-queue';

describe('the write queue', () => {
  it('grants the lock in the order of the calls', async () => {
    const writeQueue = new WriteQueue();
    await writeQueue.acquire(1_000);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      await writeQueue.acquire(1_000);
      order.push(number);
      writeQueue.release();
    });

    writeQueue.release();
    await Promise.all(later);

    expect(order).toEqual([1, 2, 3]);
  });

  it('times out one waiter and still grants the lock to the next', async () => {
    const writeQueue = new WriteQueue();
    await writeQueue.acquire(0);
    const impatient = writeQueue.acquire(1);
    const patient = writeQueue.acquire(10_000);

    expect(await impatient).toBe(false);
    writeQueue.release();
    expect(await patient).toBe(true);
  });

  it('is free after the last release', async () => {
    const writeQueue = new WriteQueue();
    await writeQueue.acquire(0);
    writeQueue.release();

    expect(writeQueue.isLocked).toBe(false);
    expect(await writeQueue.acquire(0)).toBe(true);
  });
});
