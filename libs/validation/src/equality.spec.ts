import { fuzz } from '../testing/fuzz';

describe('generated classes, options and values', () => {
  it('have the same results as the libraries', { timeout: 120_000 }, async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now());
    const { tally, difference } = await fuzz(seed, Number(process.env['FUZZ_CASES'] ?? 9000));
    expect(difference, `seed ${seed}, ${tally.cases} cases`).toBeUndefined();
  });
});
