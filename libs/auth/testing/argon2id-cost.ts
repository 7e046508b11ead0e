/**
 * Takes the place of `src/passwords/argon2id-cost.ts` in tests (vitest.config.mts): a hash takes 0.1 ms. The specs of
 * `src/passwords` hash at the cost of production.
 */
export const cost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
