import { Housekeeping } from '@app/accounts';
import type { Database } from '@app/persistence';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { IdempotentRequests } from '../../idempotency/idempotent-requests';
import { keepMs } from '../../idempotency/kept-responses.store';

/** The idempotent requests of a program. Deletes kept responses after a day. */
export class Idempotency implements OnApplicationBootstrap, OnModuleDestroy {
  /** `undefined` without a database. */
  readonly requests: IdempotentRequests | undefined;
  private readonly housekeeping: Housekeeping;

  constructor(db: Database | undefined) {
    const requests = db && new IdempotentRequests(db);
    const deleteOlder = (before: Date, limit: number) => requests?.deleteOlder(before, limit) ?? none;
    this.housekeeping = new Housekeeping([{ keepMs, deleteOlder }]);
    this.requests = requests;
  }

  onApplicationBootstrap(): void {
    if (this.requests) this.housekeeping.onApplicationBootstrap();
  }

  /** Deletes what is due, now. */
  async sweep(): Promise<void> {
    await this.housekeeping.run();
  }

  async onModuleDestroy(): Promise<void> {
    await this.housekeeping.onModuleDestroy();
  }
}

const none = Promise.resolve(0);
