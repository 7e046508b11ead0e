import { Repeat } from './timers/repeat';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { storeChannels } from './channels';
import { Database } from './database/database';
import { type ReplicaHealth } from './dialects/connecting';
import { type StoreHealth } from './dialects/store-health';
import { StoreFaultError } from './errors';

/** A fault is detected within a second even if a check takes some time. */
const CHECK_EVERY_MS = 500;

type Noted = Pick<StoreHealth, 'error'> & { readonly state: string };

/** Checks the database and its replica while the program runs, and logs each change in their health once, with the cause. */
@Injectable()
export class StoreMonitor implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Store');
  private readonly repeats = [() => this.check(), () => this.checkReplica()].map(
    (check) => new Repeat(check, CHECK_EVERY_MS),
  );
  private isStopped = false;
  private logged: StoreHealth = { state: 'ok' };
  private loggedOfReplica: ReplicaHealth = { state: 'ok' };

  constructor(private readonly db: Database) {}

  onApplicationBootstrap(): void {
    for (const repeat of this.repeats) repeat.start();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    for (const repeat of this.repeats) void repeat.stop();
  }

  private async check(): Promise<void> {
    const health = await this.db.check();
    if (this.isStopped || isSame(health, this.logged)) return;
    this.logged = health;
    this.log(health);
  }

  private async checkReplica(): Promise<void> {
    const health = await this.db.checkReplica();
    if (this.isStopped || health === undefined) return;
    if (storeChannels.replicaLag.hasSubscribers) storeChannels.replicaLag.publish(health.lagBytes);
    if (isSame(health, this.loggedOfReplica)) return;
    this.loggedOfReplica = health;
    if (health.error === undefined) this.logger.log('replica available');
    else this.logger.error(`replica unavailable, falling back to primary: ${messageOf(health.error)}`);
  }

  private log({ state, error }: StoreHealth): void {
    if (error === undefined) this.logger.log('store available');
    else if (error instanceof StoreFaultError) this.logger.fatal(error.message);
    else this.logger.error(`${state === 'read-only' ? 'store is read-only: ' : ''}${messageOf(error)}`);
  }
}

function isSame(health: Noted, logged: Noted): boolean {
  return health.state === logged.state && health.error?.message === logged.error?.message;
}

function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
