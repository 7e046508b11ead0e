import type { INestApplicationContext } from '@nestjs/common';
import { RateLimiting } from '../src/rate-limit/rate-limiting.service';

/** Exchanges the rate counts of a program with those of the others on its database, as it does every second. */
export async function exchangeRateCounts(app: INestApplicationContext): Promise<void> {
  await app.get(RateLimiting, { strict: false }).exchange();
}
