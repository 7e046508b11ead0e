/**
 * The weak Argon2id parameters that replace `src/passwords/argon2id-cost.ts` in tests (vitest.config.mts). A hash takes 0.1 ms.
 * The specs in `src/passwords` use the production parameters.
 */
export const cost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
