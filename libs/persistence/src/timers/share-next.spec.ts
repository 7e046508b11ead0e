import { shareNext } from './share-next';

describe('work that is shared by the callers before it', () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const ask = shareNext(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  beforeEach(() => void (runs.length = 0));

  it('begins after the call, once for all who came in the meantime', async () => {
    const first = ask();
    const later = [ask(), ask(), ask()];
    expect(runs).toHaveLength(1);

    runs[0]?.resolve(1);
    expect(await first).toBe(1);
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    const last = ask();
    runs[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);

    await vi.waitFor(() => expect(runs).toHaveLength(3));
    runs[2]?.resolve(3);
    expect(await last).toBe(3);
  });

  it('is done again after it failed', async () => {
    const [first, second] = [ask(), ask()];
    runs[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    runs[1]?.resolve(2);
    expect(await second).toBe(2);

    const third = ask();
    runs[2]?.resolve(3);
    expect(await third).toBe(3);
  });
});
