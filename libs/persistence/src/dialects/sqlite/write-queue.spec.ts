import { WriteQueue } from './write-queue';

describe('the writeQueue', () => {
  it('lets those through who came first', async () => {
    const writeQueue = new WriteQueue();
    const leave = await writeQueue.enter(1_000);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      const leaveAgain = await writeQueue.enter(1_000);
      order.push(number);
      leaveAgain?.();
    });

    leave?.();
    await Promise.all(later);

    expect(order).toEqual([1, 2, 3]);
  });

  it('sends those away whose time is up, and lets the others through all the same', async () => {
    const writeQueue = new WriteQueue();
    const leave = await writeQueue.enter(0);
    const impatient = writeQueue.enter(1);
    const patient = writeQueue.enter(10_000);

    expect(await impatient).toBeUndefined();
    leave?.();
    expect(await patient).toBeTypeOf('function');
  });

  it('is free again once everyone has left', async () => {
    const writeQueue = new WriteQueue();
    (await writeQueue.enter(0))?.();

    expect(await writeQueue.enter(0)).toBeTypeOf('function');
  });
});
