/**
 * Measures commits and notifications while eight programs commit: `npm run bench -- commits`. It starts its own PostgreSQL
 * server, which waits for the disk. It subtracts a round trip, so that the results are the simulator's figures
 * (`tools/simulate/figures.mts`).
 *
 * `--quick` makes a tenth of the commits. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { parseArgs } from 'node:util';
import { Client } from 'pg';

const { startPostgres } = await import('../libs/persistence/testing/postgres-server.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
/** The number of programs that commit at the same time. */
const writerCount = 8;
const commitsEach = values.quick ? 250 : 2_500;
const notifications = values.quick ? 500 : 5_000;
const shares = [0.5, 0.9, 0.99, 0.999, 1];

const server = await startPostgres({ isDurable: true });
const clients = await Promise.all(Array.from({ length: writerCount + 2 }, () => connect(server.url)));
try {
  const rows = await measure(clients);
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else
    for (const { subject, case: share, value } of rows)
      process.stdout.write(`${subject} · ${share}: ${value} ms\n`);
} finally {
  await Promise.all(clients.map((client) => client.end()));
  await server.stop();
}

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ms';
}

async function measure([sender, listener, ...writers]: readonly Client[]): Promise<readonly Row[]> {
  if (!sender || !listener) throw new TypeError('no client');
  await sender.query('create table entry (id bigint generated always as identity primary key, text text)');
  const roundTrips = await repeat(1_000, () => timed(() => sender.query('select 1')));
  const roundTripMs = at(roundTrips, 0.5);
  const commits = await Promise.all(writers.map((writer) => repeat(commitsEach, () => commit(writer))));
  await listener.query('listen measured');
  const load = { isOver: false };
  const commitMeanwhile = async (writer: Client) => {
    while (!load.isOver) await commit(writer);
  };
  const busy = Promise.all(writers.map(commitMeanwhile));
  const notified = await repeat(notifications, () => timed(() => notify(sender, listener)));
  load.isOver = true;
  await busy;
  return [...rowsOf('commit', commits.flat(), roundTripMs), ...rowsOf('notification', notified, roundTripMs)];
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Returns the time of the commit alone, because the row is written before. */
async function commit(client: Client): Promise<number> {
  await client.query(`begin; insert into entry (text) values (repeat('x', 200))`);
  return timed(() => client.query('commit'));
}

/** Sends a notification and waits until the listening connection receives it. */
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
  const took: number[] = [];
  while (took.length < count) took.push(await run());
  return took;
}

function at(took: readonly number[], share: number): number {
  const sorted = took.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

function rowsOf(subject: string, took: readonly number[], roundTripMs: number): readonly Row[] {
  return shares.map((share) => ({
    subject,
    case: `quantile ${share}`,
    value: Math.max(0, Number((at(took, share) - roundTripMs).toFixed(2))),
    unit: 'ms',
  }));
}
