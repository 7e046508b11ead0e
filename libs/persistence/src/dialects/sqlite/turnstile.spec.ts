import { Turnstile } from './turnstile';

describe('the turnstile', () => {
  it('lets those through who came first', async () => {
    const turnstile = new Turnstile();
    const leave = await turnstile.enter(1_000);
    const order: number[] = [];
    const later = [1, 2, 3].map(async (number) => {
      const leaveAgain = await turnstile.enter(1_000);
      order.push(number);
      leaveAgain?.();
    });

    leave?.();
    await Promise.all(later);

    expect(order).toEqual([1, 2, 3]);
  });

  it('sends those away whose time is up, and lets the others through all the same', async () => {
    const turnstile = new Turnstile();
    const leave = await turnstile.enter(0);
    const impatient = turnstile.enter(1);
    const patient = turnstile.enter(10_000);

    expect(await impatient).toBeUndefined();
    leave?.();
    expect(await patient).toBeTypeOf('function');
  });

  it('is free again once everyone has left', async () => {
    const turnstile = new Turnstile();
    (await turnstile.enter(0))?.();

    expect(await turnstile.enter(0)).toBeTypeOf('function');
  });
});
