/** The Argon2id parameters that OWASP recommends: 19 MiB, two iterations, a single lane. A hash takes 8–9 ms on a single core. */
export const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
