import { setTimeout as pause } from 'node:timers/promises';
import { call, missing, signIn, untilAnswered } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';
import { untilPostgresAccepts } from '../environment/postgres.mts';

const connections = 20;
const betweenMs = 2500;
/** The longest time until the program writes again. */
const recoveredWithinMs = 5000;

export const storeRestarted: Drill = {
  name: 'store-restarted',
  action: 'restarts the PostgreSQL server, again and again, while clients write',
  expectation:
    'requests are answered, or refused with 503; every acknowledged write is there; five seconds after the server accepts connections, the program is ready',
  stores: ['postgres'],
  fires: ['SluiceStoreUnavailable'],
  run: async ({ start, url, subject, store, either }) => {
    await start();
    const load = new Load(url, await signIn(url), subject, { postEvery: 4 });
    const stopLoad = load.start(connections);
    const recoveredMs: number[] = [];
    for (let restart = 0; restart < either(6, 2); restart++) {
      await pause(betweenMs);
      process.kill(store.processes()[0] ?? 0, 'SIGINT');
      await untilPostgresAccepts(store.url);
      recoveredMs.push(await untilAnswered(() => call(`${url}/health/ready`)));
    }
    await pause(betweenMs);
    await stopLoad();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    return finding(
      {
        restarts: recoveredMs.length,
        requests: load.exchanges.length,
        refused: tally(load.refused),
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'longest time until ready, ms': Math.max(...recoveredMs),
      },
      {
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'requests are refused with 503 alone': load.refused.every(({ outcome }) => outcome === 503),
        'the program is ready within five seconds': Math.max(...recoveredMs) <= recoveredWithinMs,
      },
    );
  },
};
