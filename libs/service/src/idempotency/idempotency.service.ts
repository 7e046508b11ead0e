import { Housekeeping, Retentions, JobLease } from '@app/accounts';
import type { Database } from '@app/persistence';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { IdempotentRequests } from './idempotent-requests';
import { keepMs } from './stored-responses.store';

/** The idempotent requests of a program. Deletes stored responses after a day. */
export class Idempotency implements OnApplicationBootstrap, OnModuleDestroy {
  /** `undefined` without a database. */
  readonly requests: IdempotentRequests | undefined;
  private readonly housekeeping: Housekeeping | undefined;

  constructor(db: Database | undefined) {
    if (!db) return;
    const requests = new IdempotentRequests(db);
    const deleteOlder = (before: Date, limit: number) => requests.deleteOlder(before, limit);
    const rule = { name: 'idempotency-keys', keepMs, deleteOlder };
    this.housekeeping = new Housekeeping(new JobLease(db, 'idempotency'), new Retentions(db, [rule]));
    this.requests = requests;
  }

  onApplicationBootstrap(): void {
    this.housekeeping?.onApplicationBootstrap();
  }

  /** Deletes what is due, now. */
  async sweep(): Promise<void> {
    await this.housekeeping?.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.housekeeping?.onModuleDestroy();
  }
}
