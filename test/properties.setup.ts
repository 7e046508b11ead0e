import fc from 'fast-check';

/** The seed of generated values. It is the same for every run unless you set it, as in `PROPERTY_SEED=7 npx vitest run …`. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
