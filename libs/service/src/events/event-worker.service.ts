import { plainToInstance, type WireClass } from '@app/engine';
import {
  Database,
  Drain,
  type Queries,
  Queue,
  Repeat,
  retryAt,
  statement,
  StoreUnavailableError,
} from '@app/persistence';
import { isFirstWorker } from '@app/settings';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { EventRow } from './event.table';
import type { Events } from './events';

const INTERVAL_MS = 1000;
/** The time after which a program that handles an event is presumed dead. It renews its claim until the handler ends. */
const CLAIM_MS = 60_000;
/** The number of attempts before an event waits for an operator: 15 hours. */
const MAX_ATTEMPTS = 20;
const EVENTS_AT_ONCE = 4;
const LONGEST_FAILURE = 200;

/** An event as its handler gets it. */
export interface EventDelivery {
  /** The id of the event for this handler, which is the same in each attempt. */
  readonly id: number;
  readonly key: string;
  /** The number of attempts, including this attempt. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The signal that is aborted when the program ends. */
  readonly signal: AbortSignal;
  /**
   * Marks the event as handled in a transaction of the handler, so that its changes happen exactly once. Without this call the
   * event is marked after the handler ends.
   */
  readonly complete: (db: Queries) => Promise<void>;
}

/** Handles an event. If it throws, the event is delivered again later. */
export type HandleEvent = (data: object, delivery: EventDelivery) => Promise<void>;

interface NamedHandler {
  readonly name: string;
  readonly handle: HandleEvent;
}

/** Delivers stored events to this program's handlers. */
export class EventWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Events');
  private readonly handlers = new Map<string, HandleEvent>();
  private readonly end = new AbortController();
  private readonly repeat = new Repeat(() => this.runLogged(), INTERVAL_MS);
  private queue: Queue<EventRow> | undefined;
  private readonly drain: Drain<EventRow>;

  /** @param claimMs the time after which another program takes over from a dead program */
  constructor(
    private readonly db: Database,
    private readonly events: Pick<Events, 'classes'>,
    private readonly claimMs = CLAIM_MS,
  ) {
    this.drain = new Drain(
      () => this.claim(),
      (row) => this.deliver(row),
      EVENTS_AT_ONCE,
    );
  }

  /** Adds a handler, before the program has started. */
  add({ name, handle }: NamedHandler): void {
    this.handlers.set(name, handle);
  }

  onApplicationBootstrap(): void {
    if (this.handlers.size > 0 && isFirstWorker()) void this.repeat.startNow();
  }

  async onModuleDestroy(): Promise<void> {
    this.drain.stop();
    this.end.abort();
    await this.repeat.stop();
  }

  /** Handles all due events now. @throws StoreUnavailableError */
  async handleDue(): Promise<void> {
    if (this.handlers.size > 0) await this.drain.run();
  }

  private claim(): Promise<EventRow | undefined> {
    this.queue ??= new Queue<EventRow>({
      table: 'event',
      lane: 'handler',
      key: 'key',
      order: 'strict',
      lanes: [...this.handlers.keys()],
    });
    return this.queue.claim(this.db, new Date(), this.claimEnd());
  }

  private async deliver(row: EventRow): Promise<boolean> {
    const renewal = new Repeat(() => this.renew(row), this.claimMs / 3);
    renewal.start();
    try {
      await this.handle(row);
      await remove.execute(this.db, { id: row.id });
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      await this.postpone(row, error);
    } finally {
      await renewal.stop();
    }
    return true;
  }

  private async handle({ name, handler, id, key, data, attempts, createdAt }: EventRow): Promise<void> {
    const handle = this.handlers.get(handler);
    const type: WireClass | undefined = this.events.classes[name];
    if (handle === undefined || type === undefined)
      throw new TypeError(`the event ${name} or its handler ${handler} is not declared`);
    const parsed: unknown = JSON.parse(data);
    const value: object = plainToInstance(type, Object(parsed), { enableImplicitConversion: true });
    const complete = async (db: Queries) => void (await remove.execute(db, { id }));
    await handle(value, { id, key, attempts, createdAt, signal: this.end.signal, complete });
  }

  private async postpone(row: EventRow, error: unknown): Promise<void> {
    const { id, name, handler, attempts } = row;
    this.logger.error(`event handler failed: ${handler} of ${name}, attempt ${attempts}`, error);
    const dueAt = attempts < MAX_ATTEMPTS ? retryAt(new Date(), row) : null;
    await this.queue?.postpone(this.db, id, dueAt, String(error).slice(0, LONGEST_FAILURE));
  }

  private async renew(row: EventRow): Promise<void> {
    await this.queue?.renew(this.db, row, this.claimEnd()).catch((error: unknown) => this.logError(error));
  }

  private claimEnd(): Date {
    return new Date(Date.now() + this.claimMs);
  }

  private async runLogged(): Promise<void> {
    await this.handleDue().catch((error: unknown) => this.logError(error));
  }

  /** An unavailable store is logged elsewhere; the next run goes on. */
  private logError(error: unknown): void {
    if (!(error instanceof StoreUnavailableError)) this.logger.error('event worker failed', error);
  }
}

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('event').where('id', '=', id));
