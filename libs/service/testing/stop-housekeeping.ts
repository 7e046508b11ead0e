import { type JobRunner, jobToken } from '@app/persistence';
import type { INestApplicationContext } from '@nestjs/common';
import { Idempotency } from '../src/idempotency/idempotency.service';

/** Ends the background deletion of a program, which writes at its start, and waits for its running statement. */
export async function stopHousekeeping(app: INestApplicationContext): Promise<void> {
  const accounts: JobRunner = app.get(jobToken('accounts'), { strict: false });
  for (const job of [accounts, app.get(Idempotency, { strict: false })]) await job.onModuleDestroy();
}
