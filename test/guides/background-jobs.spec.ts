import { Drafts, draftsHousekeeping, RatesRefresh } from '../../docs/guides/background-jobs.md';
import { bootGuide } from './boot-guide';

describe('docs/guides/background-jobs.md', () => {
  const program = bootGuide({ providers: [Drafts, draftsHousekeeping, RatesRefresh] });

  it('runs the job when the program starts, in batches until nothing is left', async () => {
    await vi.waitFor(() => expect(program.app().get(Drafts).old).toEqual([]));
  });

  it('has run the task of an interval before the program listens', () => {
    expect(program.app().get(RatesRefresh).runs).toBe(1);
  });
});
