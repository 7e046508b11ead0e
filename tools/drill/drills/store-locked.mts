import { setTimeout as pause } from 'node:timers/promises';
import { create, missing, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99, tally } from '../callers/load.mts';
import { lockForWrites } from '../environment/from-outside.mts';
import { Watch } from '../callers/watch.mts';

/** The number of connections, half of `DATABASE_POOL_SIZE`. Each request that waits for the lock has a connection. */
const connections = 5;
/** The five seconds that a request waits for a lock, and the time of a busy machine. */
const answeredWithinMs = 5000 + 2500;
const readWithinMs = 2000;
const recoveredWithinMs = 5000;

export const storeLocked: Drill = {
  name: 'store-locked',
  action: 'holds a lock of the database from outside, so that nothing can be written',
  expectation:
    'writes are refused with 503 after five seconds, and reads are answered as before; writes succeed once the lock is released',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceSlow'],
  run: async ({ start, url, subject, table, store, either }) => {
    await start();
    const token = await signIn(url);
    const release = await lockForWrites(store.url, table.name);
    const load = new Load(url, token, subject, { postEvery: 1 });
    const stopLoad = load.start(connections);
    const reads = new Watch(url + subject.list, token);
    await pause(either(20_000, 8000));
    await reads.stop();
    const during = [...load.exchanges];
    await release();
    const recoveredMs = await untilAnswered(() => create(url, token, subject));
    await stopLoad();
    const lost = await missing(url, token, load.acknowledged);
    const longestMs = Math.round(Math.max(...load.exchanges.map(({ ms }) => ms)));
    return finding(
      {
        'writes while it was locked': tally(during),
        'longest write, ms': longestMs,
        'reads while it was locked': reads.replies.length,
        'their p99, ms': p99(reads.replies),
        'acknowledged writes lost': lost.length,
        'recovered after, ms': recoveredMs,
      },
      {
        'writes are refused with 503': during.length > 0 && during.every(({ outcome }) => outcome === 503),
        'writes are answered by the timeout': longestMs < answeredWithinMs,
        'reads are answered': reads.failed === 0,
        'reads do not wait for the lock': p99(reads.replies) < readWithinMs,
        'every acknowledged write is there': lost.length === 0,
        'writes succeed within five seconds': recoveredMs <= recoveredWithinMs,
      },
    );
  },
};
