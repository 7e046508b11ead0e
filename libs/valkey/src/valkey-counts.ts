import { settledWithin } from '@app/persistence';
import { createClient, MultiErrorReply } from '@redis/client';
import type { PendingCount, RateCounts } from '@app/service';

/** The number of callers in a transaction, during which the server handles no other command. */
const callersPerTransaction = 500;
/** The time for which a key outlives its window, because a program with a slow clock still counts in it. */
const graceMs = 60_000;

/**
 * The counts of all programs on a Valkey or Redis server. While it is down, it returns no totals, and each program counts alone.
 */
export class ValkeyCounts implements RateCounts {
  private readonly url: string;
  private readonly report: (error: Error | undefined) => void;
  private readonly timeoutMs: number;
  private client: Client | undefined;
  private isUp: boolean | undefined;

  /**
   * @param url `valkey:`, `valkeys:`, `redis:` or `rediss:`
   * @param report called with the cause when the server becomes unavailable, and without it when the server took counts again
   * @param timeoutMs the timeout for a connection, and for a transaction
   */
  constructor(url: string, report: (error: Error | undefined) => void, timeoutMs = 2000) {
    this.url = url;
    this.report = report;
    this.timeoutMs = timeoutMs;
  }

  /** Adds counts. @returns the totals by subject, except for counts that the server did not take */
  async add(counts: readonly PendingCount[]): Promise<Map<string, number>> {
    const totals = new Map<string, number>();
    try {
      const client = this.client?.isOpen ? this.client : await this.connect();
      for (let at = 0; at < counts.length; at += callersPerTransaction)
        await this.addSome(client, counts.slice(at, at + callersPerTransaction), totals);
      if (counts.length > 0) this.setUp(true);
    } catch (error) {
      this.close();
      this.setUp(false, error);
    }
    return totals;
  }

  close(): void {
    this.client?.destroy();
    this.client = undefined;
  }

  /**
   * Adds counts in a transaction, so that every key has an expiry even if the connection is lost. The expiry is relative,
   * because the server's clock may differ.
   */
  private async addSome(
    client: Client,
    counts: readonly PendingCount[],
    totals: Map<string, number>,
  ): Promise<void> {
    const transaction = client.multi();
    for (const { subject, count, endsAt } of counts) {
      const key = `sluice:rate:${endsAt.getTime()}:${subject}`;
      const leftMs = Math.max(0, endsAt.getTime() - Date.now());
      transaction.incrBy(key, count).pExpire(key, leftMs + graceMs);
    }
    const { replies, error } = await repliesOf(this.within(transaction.exec()));
    counts.forEach(({ subject }, index) => {
      const total = replies[2 * index];
      if (typeof total === 'number') totals.set(subject, total);
    });
    if (error) throw error;
  }

  private async connect(): Promise<Client> {
    const client = open(this.url, this.timeoutMs);
    // A lost connection is noticed by the next exchange, a lost command by its own error.
    client.on('error', () => {});
    this.client = client;
    await this.within(client.connect());
    return client;
  }

  /** Waits for a task until the timeout, because the client itself has no limit for a command that was sent. */
  private async within<Value>(task: Promise<Value>): Promise<Value> {
    const value = await settledWithin(this.timeoutMs, task);
    if (value === undefined) throw new Error(`no response within ${this.timeoutMs} ms`);
    return value;
  }

  private setUp(isUp: boolean, error?: unknown): void {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    this.report(isUp ? undefined : toError(error));
  }
}

type Client = ReturnType<typeof open>;

/** Creates a client that never reconnects, because each exchange connects if necessary. */
function open(url: string, connectTimeout: number) {
  return createClient({
    url: url.replace(/^valkey/, 'redis'),
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout, reconnectStrategy: false },
  });
}

/** Returns the replies of a transaction. A single command may fail, if its key has a different type. */
async function repliesOf(
  transaction: Promise<readonly unknown[]>,
): Promise<{ readonly replies: readonly unknown[]; readonly error?: Error }> {
  try {
    return { replies: await transaction };
  } catch (error) {
    if (!(error instanceof MultiErrorReply)) throw error;
    return { replies: error.replies, error: error.replies[error.errorIndexes[0] ?? 0] };
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
