/** Takes the place of `src/dialects/ids/default-ids.ts` in tests with `DATABASE_IDS=time` (vitest.config.mts). */
export const defaultIds = 'time';
