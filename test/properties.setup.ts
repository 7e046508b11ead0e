import fc from 'fast-check';

/** `PROPERTY_SEED=7 npx vitest run …` generates other values; the tests of a commit always have the same. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
