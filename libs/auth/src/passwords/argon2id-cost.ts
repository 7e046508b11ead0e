/** OWASP's recommended parameters for Argon2id: 19 MiB, two iterations, one lane; 8–9 ms on one core. */
export const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
