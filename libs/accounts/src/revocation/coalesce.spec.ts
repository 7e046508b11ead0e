import { coalesce } from './coalesce';

describe('coalesced calls', () => {
  it('run once more for all that come during a run', async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const start = coalesce(() => {
      runs.push(Promise.withResolvers());
      return runs.at(-1)?.promise ?? Promise.resolve();
    });

    const ended = Promise.all([start(), start(), start()]);
    expect(runs).toHaveLength(1);
    runs[0].resolve();
    await vi.waitFor(() => expect(runs).toHaveLength(2), 10_000);
    runs[1].resolve();
    await ended;
    expect(runs).toHaveLength(2);
  });

  it('run again after the last run has ended', async () => {
    const work = vi.fn<() => Promise<void>>(async () => {});
    const start = coalesce(work);
    await start();
    await start();
    expect(work).toHaveBeenCalledTimes(2);
  });
});
