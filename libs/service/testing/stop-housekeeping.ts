import { Housekeeping } from '@app/accounts';
import type { INestApplicationContext } from '@nestjs/common';
import { Idempotency } from '../src/idempotency/idempotency.service';

/** Ends the background deletion of a program, which writes at its start, and waits for its running statement. */
export async function stopHousekeeping(app: INestApplicationContext): Promise<void> {
  for (const type of [Housekeeping, Idempotency]) await app.get(type, { strict: false }).onModuleDestroy();
}
