import { fuzz } from '../../testing/validation/fuzz';
import { nestParts, withoutLog } from '../../testing/validation/nest-parts';

describe('generated classes, options and values', () => {
  it('have the same results as the libraries', { timeout: 120_000 }, async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? 1_795_482_678_317);
    const cases = Number(process.env['FUZZ_CASES'] ?? 9000);
    const { tally, difference } = await withoutLog(() => fuzz(seed, cases, nestParts));
    expect(difference, `seed ${seed}, ${tally.cases} cases`).toBeUndefined();
  });
});
