import { setTimeout as pause } from 'node:timers/promises';
import { call, create, missing, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';
import { lacksSmallDisk } from '../environment/small-disk.mts';
import { fillDisk } from '../environment/stores.mts';
import { Watch } from '../callers/watch.mts';

const connections = 10;
const beforeMs = 1500;
const pollMs = 50;
/** Pages and log that are allocated already are written to until then. */
const noticedWithinMs = 60_000;
const recoveredWithinMs = 5000;

export const diskFull: Drill = {
  name: 'disk-full',
  action: 'fills the disk of the database to its last byte, while clients write, and empties it again',
  expectation:
    'writes are refused with 503, reads are answered; readiness is 200 with `writes: false`; writes succeed again without a restart',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceStoreUnavailable'],
  disk: { sqlite: '32m', postgres: '256m' },
  lacks: lacksSmallDisk,
  run: async ({ start, url, subject, store, folder, either }) => {
    const program = await start();
    const token = await signIn(url);
    const load = new Load(url, token, subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    await pause(beforeMs);
    const empty = fillDisk(store.processes()[0] ?? program.child.pid ?? 0, folder);
    const fullAt = performance.now();
    while (load.refused.length === 0 && performance.now() - fullAt < noticedWithinMs) await pause(pollMs);
    const reads = new Watch(url + subject.list, token);
    await pause(either(10_000, 4000));
    const ready = await call(`${url}/health/ready`);
    await reads.stop();
    empty();
    const recoveredMs = await untilAnswered(() => create(url, token, subject));
    await stopLoad();
    const lost = await missing(url, token, load.acknowledged);
    return finding(
      {
        refused: tally(load.refused),
        'reads while it was full': reads.replies.length,
        readiness: `${ready.status} ${JSON.stringify(ready.body.checks)}`,
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'recovered after, ms': recoveredMs,
      },
      {
        'writes are refused with 503':
          load.refused.length > 0 &&
          load.refused.every(({ method, outcome }) => method === 'POST' && outcome === 503),
        'reads are answered': reads.failed === 0,
        'readiness is 200 with writes: false': ready.status === 200 && ready.body.checks?.writes === false,
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'writes succeed within five seconds': recoveredMs <= recoveredWithinMs,
      },
    );
  },
};
