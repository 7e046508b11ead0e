import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, tally } from '../callers/load.mts';

const connections = 20;
/** Returns a time for each round that is long enough for Prometheus, which reads the metrics every second, to see each start. */
const untilKillMs = (round: number) => 1500 + (round % 5) * 150;
/** The pause before the program starts again, as a service manager makes it. */
const downMs = 3000;

export const kill9: Drill = {
  name: 'kill-9',
  action: 'kills the program by SIGKILL, again and again, while clients write, and starts it again',
  expectation: 'every acknowledged write is there; clients see closed connections, and no 5xx',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceDown', 'SluiceRestarting'],
  run: async ({ start, url, subject, either }) => {
    const kills = either(10, 4);
    let program = await start();
    const load = new Load(url, await signIn(url), subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    const startMs: number[] = [];
    for (let round = 0; round < kills; round++) {
      await pause(untilKillMs(round));
      await program.stop('SIGKILL');
      await pause(downMs);
      const startedAt = performance.now();
      program = await start();
      startMs.push(Math.round(performance.now() - startedAt));
    }
    await pause(untilKillMs(0));
    await stopLoad();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    const answered = load.refused.filter(({ outcome }) => typeof outcome === 'number');
    return finding(
      {
        kills,
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'responses other than 2xx': tally(answered),
        'longest start, ms': Math.max(...startMs),
      },
      {
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'no request is answered with an error': answered.length === 0,
      },
    );
  },
};
