/**
 * Measures the memory that a program holds by account, session and revocation, and the start-up cost with a million rows each,
 * on SQLite: `npm run bench -- revocations`.
 *
 * `--quick` uses a twentieth of the rows. `--json` writes rows `{case, subject, value, unit}`.
 */
import '../scripts/load-sources.mts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { sql } = await import('kysely');
const { openDatabase, migrate } = await import('@app/persistence');
const { librarySchemas } = await import('@app/service');
const { AccountsStore } = await import('../libs/accounts/src/account/accounts.store.ts');
const { RevocationFeed } = await import('../libs/accounts/src/revocation/revocation-feed.ts');
const { RevocationCache } = await import('../libs/accounts/src/revocation/revocation-cache.ts');

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });
const count = values.quick ? 50_000 : 1_000_000;
/** The number of accounts that a program caches. */
const cachedAccounts = 10_000;
const ttlSeconds = 60;
/** The time between the first and the last revocation. */
const spreadMs = 60_000;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

interface Row {
  readonly case: string;
  readonly subject: string;
  readonly value: number;
  readonly unit: 'ms' | 'bytes';
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-revocations-'));
const db = openDatabase(`sqlite:${join(folder, 'store.db')}`);
const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`;
const dated = (agoMs: number) => sql.lit(Date.now() - agoMs);
const rows: Row[] = [];
try {
  await migrate(db, librarySchemas);
  await start('an empty store');
  await sql`insert into account (email, email_key, password_hash, password_changed_at, created_at)
    ${numbers} select 'user-' || n || '@example.com', 'user-' || n || '@example.com', 'no hash', ${dated(0)}, ${dated(0)} from numbers`.execute(
    db,
  );
  await start(`${count} accounts`);
  await sql`insert into session (account_id, sid, tag_key, amr, ip, created_at, last_used_at, expires_at)
    ${numbers} select n, 'sid-' || n, 'no key', 'pwd', '127.0.0.1', ${dated(0)}, ${dated(0)}, ${dated(-86_400_000)} from numbers`.execute(
    db,
  );
  await start(`${count} sessions, and the accounts`);
  await revoke(600_000);
  await start(`${count} revocations of ten minutes ago, and the rest`);
  await accounts();
  await revoke(0);
  await start(`${count} revocations of this minute, and the rest`);
} finally {
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
}
const lines = rows.map((row) => `${row.case}, ${row.subject}: ${row.value} ${row.unit}\n`);
process.stdout.write(values.json ? `${JSON.stringify(rows)}\n` : lines.join(''));

async function revoke(agoMs: number): Promise<void> {
  await sql`insert into revocation (program, number, settled_below, kind, subject, created_at)
    ${numbers} select 'program-' || ${sql.lit(agoMs)}, n, n, 'session', 'b5c2c1c0-0000-4000-8000-' || (100000000000 + n) || '.' || ${sql.lit(agoMs)},
      ${dated(agoMs + spreadMs)} + n * ${sql.lit(spreadMs)} / ${sql.lit(count)} from numbers`.execute(db);
}

/** Starts the revocation feed as a program does. */
async function start(subject: string): Promise<void> {
  const cache = cacheOf();
  const feed = new RevocationFeed(db.openAnother(), cache);
  const before = heldBytes();
  const longestWait = watchEventLoop();
  const startedAt = performance.now();
  await feed.start();
  rows.push({ case: 'start', subject, value: Math.round(performance.now() - startedAt), unit: 'ms' });
  rows.push({ case: 'longest wait of other work', subject, value: Math.round(longestWait()), unit: 'ms' });
  const bytes = Math.max(0, heldBytes() - before);
  rows.push({ case: `memory of ${cache.size} revocations`, subject, value: bytes, unit: 'bytes' });
  if (cache.size > 0)
    rows.push({
      case: 'memory',
      subject: 'one revocation',
      value: Math.round(bytes / cache.size),
      unit: 'bytes',
    });
  await feed.stop();
}

async function accounts(): Promise<void> {
  const cache = cacheOf();
  const before = heldBytes();
  for (let id = 1; id <= cachedAccounts; id += 1) await cache.stateOf(id);
  const each = Math.round((heldBytes() - before) / cachedAccounts);
  // Used after the measurement, so that it is not collected before.
  cache.forgetAll();
  rows.push({
    case: 'memory',
    subject: 'one account, of the 10,000 that called last',
    value: each,
    unit: 'bytes',
  });
}

/** Watches the event loop. The returned function stops the watch and returns the longest time that other work waited. */
function watchEventLoop(): () => number {
  let [longest, last] = [0, performance.now()];
  const look = () => {
    const now = performance.now();
    [longest, last] = [Math.max(longest, now - last), now];
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  return () => {
    clearImmediate(next);
    return Math.max(longest, performance.now() - last);
  };
}

function cacheOf() {
  const store = new AccountsStore(db);
  return new RevocationCache((id) => store.stateOf(id), { ttlSeconds });
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
