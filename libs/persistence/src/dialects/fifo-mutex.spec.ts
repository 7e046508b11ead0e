import { FifoMutex } from './fifo-mutex';

describe('a FIFO mutex', () => {
  it('grants the lock in the order of the calls', async () => {
    const mutex = new FifoMutex();
    await mutex.acquire(1_000);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      await mutex.acquire(1_000);
      order.push(number);
      mutex.release();
    });

    mutex.release();
    await Promise.all(later);

    expect(order).toEqual([1, 2, 3]);
  });

  it('times out one waiter and still grants the lock to the next', async () => {
    const mutex = new FifoMutex();
    await mutex.acquire(0);
    const impatient = mutex.acquire(1);
    const patient = mutex.acquire(10_000);

    expect(await impatient).toBe(false);
    mutex.release();
    expect(await patient).toBe(true);
  });

  it('is free after the last release', async () => {
    const mutex = new FifoMutex();
    await mutex.acquire(0);
    mutex.release();

    expect(mutex.isLocked).toBe(false);
    expect(await mutex.acquire(0)).toBe(true);
  });
});
