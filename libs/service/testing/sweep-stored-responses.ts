import type { INestApplicationContext } from '@nestjs/common';
import { Idempotency } from '../src/idempotency/idempotency.service';

/** Deletes the responses that a program has kept for a day, as it does every ten minutes. */
export async function sweepStoredResponses(app: INestApplicationContext): Promise<void> {
  await app.get(Idempotency, { strict: false }).sweep();
}
