import { fuzz } from '../testing/fuzz';

describe('generated classes, options and values', () => {
  it('are judged as the libraries judge them', { timeout: 120_000 }, async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const { tally, difference } = await fuzz(seed, Number(process.env['FUZZ_CASES'] ?? 6000));
    expect(difference, `seed ${seed}, ${tally.cases} cases`).toBeUndefined();
  });
});
