import { Client } from 'pg';
import { startPostgres } from '@app/persistence/testing';
import type { Quantiles } from './kernel/figures.mts';

/** Programs that commit at the same time. */
const WRITERS = 8;
const COMMITS = 2_500;
const NOTIFICATIONS = 5_000;
const SHARES = [0.5, 0.9, 0.99, 0.999, 1] as const;

/**
 * Measures a PostgreSQL server of its own, which waits for the disk, while several programs commit. What a message takes is
 * subtracted: the simulation adds its own network.
 *
 * @returns the values of `figures.mts`
 */
export async function measure(): Promise<{ commitMs: Quantiles; notificationMs: Quantiles }> {
  const server = await startPostgres({ isDurable: true });
  const clients = await Promise.all(Array.from({ length: WRITERS + 2 }, () => connect(server.url)));
  try {
    const [sender, listener, ...writers] = clients;
    if (!sender || !listener) throw new TypeError('no client');
    await sender.query('create table entry (id bigint generated always as identity primary key, text text)');
    const roundTripMs = medianOf(await repeat(1_000, () => timed(() => sender.query('select 1'))));
    const commits = await Promise.all(writers.map((writer) => repeat(COMMITS, () => commit(writer))));
    await listener.query('listen measured');
    const load = { isOver: false };
    const commitMeanwhile = async (writer: Client) => {
      while (!load.isOver) await commit(writer);
    };
    const busy = Promise.all(writers.map(commitMeanwhile));
    const notifications = await repeat(NOTIFICATIONS, () => timed(() => notify(sender, listener)));
    load.isOver = true;
    await busy;
    return {
      commitMs: quantilesOf(commits.flat(), roundTripMs),
      notificationMs: quantilesOf(notifications, roundTripMs),
    };
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await server.stop();
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** The time of the commit alone: the row is written before. */
async function commit(client: Client): Promise<number> {
  await client.query(`begin; insert into entry (text) values (repeat('x', 200))`);
  return timed(() => client.query('commit'));
}

/** From the statement of one connection until another one is notified. */
function notify(sender: Client, listener: Client): Promise<unknown> {
  const notified = new Promise((resolve) => listener.once('notification', resolve));
  return Promise.all([notified, sender.query('notify measured')]);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

async function repeat(count: number, run: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  while (values.length < count) values.push(await run());
  return values;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function quantilesOf(values: readonly number[], roundTripMs: number): Quantiles {
  const sorted = values.toSorted((one, other) => one - other);
  return SHARES.map((share) => {
    const ms = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return [share, Math.max(0, Number((ms - roundTripMs).toFixed(2)))] as const;
  });
}
