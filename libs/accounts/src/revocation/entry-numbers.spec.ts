import { EntryNumbers } from './entry-numbers';

describe('the numbers of entries', () => {
  it('say which transactions had ended', () => {
    const numbers = new EntryNumbers();
    const [first, second] = [numbers.next(), numbers.next()];
    expect([first, second]).toMatchObject([
      { number: 1, settledBelow: 1 },
      { number: 2, settledBelow: 1 },
    ]);
    numbers.settle([second]);
    expect(numbers.next()).toMatchObject({ number: 3, settledBelow: 1 });
    numbers.settle([first]);
    expect(numbers.next()).toMatchObject({ number: 4, settledBelow: 3 });
  });

  it('are settled once the affected tokens have expired, if the outcome is unknown', () => {
    let now = 0;
    const numbers = new EntryNumbers(60_000, () => now);
    numbers.next();
    now = 60_000;
    expect(numbers.next()).toMatchObject({ settledBelow: 1 });
    now = 60_001;
    expect(numbers.next()).toMatchObject({ settledBelow: 2 });
  });

  it('are those of one program', () => {
    const [one, other] = [new EntryNumbers(), new EntryNumbers()];
    expect(one.next().program).toBe(one.next().program);
    expect(one.next().program).not.toBe(other.next().program);
  });
});
