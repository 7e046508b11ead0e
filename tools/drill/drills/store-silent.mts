import { setTimeout as pause } from 'node:timers/promises';
import { call, missing, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99, tally } from '../callers/load.mts';
import { Watch } from '../callers/watch.mts';

const connections = 20;
const beforeMs = 1500;
/** The check of the store takes two seconds at most, every half second. */
const noticedWithinMs = 4000;
const refusedWithinMs = 1000;
const recoveredWithinMs = 5000;

export const storeSilent: Drill = {
  name: 'store-silent',
  action:
    'stops the processes of the PostgreSQL server by SIGSTOP, so that connections stay open and nothing answers',
  expectation:
    'after one failed check requests are refused with 503 at once; readiness is 503, liveness 200; the program recovers by itself',
  stores: ['postgres'],
  fires: ['SluiceStoreUnavailable', 'SluiceRevocationsStale'],
  run: async ({ start, url, subject, store, either }) => {
    const silentMs = either(20_000, 9000);
    await start();
    const token = await signIn(url);
    const load = new Load(url, token, subject, { postEvery: 4 });
    const stopLoad = load.start(connections);
    await pause(beforeMs);
    const stopped = store.processes();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    const silentAt = performance.now();
    const live = new Watch(`${url}/health/live`);
    await pause(noticedWithinMs);
    const ready = await call(`${url}/health/ready`);
    await pause(silentMs - noticedWithinMs);
    const endsAt = performance.now();
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    const recoveredMs = await untilAnswered(() => call(url + subject.list, { token }));
    await live.stop();
    await pause(beforeMs);
    await stopLoad();
    const lost = await missing(url, token, load.acknowledged);
    const noticed = load.exchanges.filter(
      ({ sentAt }) => sentAt > silentAt + noticedWithinMs && sentAt < endsAt - refusedWithinMs,
    );
    return finding(
      {
        'silent, s': Math.round(silentMs / 1000),
        'responses once it was noticed': tally(noticed),
        'their p99, ms': p99(noticed),
        'longest response, ms': Math.round(Math.max(...load.exchanges.map(({ ms }) => ms))),
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'recovered after, ms': recoveredMs,
      },
      {
        'requests are refused with 503':
          noticed.length > 0 && noticed.every(({ outcome }) => outcome === 503),
        'they are refused at once': p99(noticed) < refusedWithinMs,
        'readiness is 503': ready.status === 503,
        'liveness is 200': live.failed === 0,
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'the program recovers within five seconds': recoveredMs <= recoveredWithinMs,
      },
    );
  },
};
