import { type Database, deletesOld, JobRunner } from '@app/persistence';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { IdempotentRequests } from './idempotent-requests';
import { keepMs } from './stored-responses.store';

/** Provides a program's idempotent requests, and deletes stored responses after a day. */
export class Idempotency implements OnApplicationBootstrap, OnModuleDestroy {
  /** The idempotent requests, or `undefined` without a database. */
  readonly requests: IdempotentRequests | undefined;
  private readonly job: JobRunner | undefined;

  constructor(db: Database | undefined) {
    if (!db) return;
    const requests = new IdempotentRequests(db);
    const deleteOlder = (before: Date, limit: number) => requests.deleteOlder(before, limit);
    const rule = { name: 'idempotency-keys', keepMs, deleteOlder };
    this.job = new JobRunner(db, { name: 'idempotency', ...deletesOld(db, [rule]) });
    this.requests = requests;
  }

  onApplicationBootstrap(): void {
    this.job?.onApplicationBootstrap();
  }

  /** Deletes the responses that are due now. */
  async sweep(): Promise<void> {
    await this.job?.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.job?.onModuleDestroy();
  }
}
