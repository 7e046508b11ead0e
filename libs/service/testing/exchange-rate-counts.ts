import type { INestApplicationContext } from '@nestjs/common';
import { RateLimits } from '../src/rate-limit/rate-limits.service';

/** Exchanges a program's rate counts with the other programs on its database, as it does every second. */
export async function exchangeRateCounts(app: INestApplicationContext): Promise<void> {
  await app.get(RateLimits, { strict: false }).exchange();
}
