import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99, tally } from '../callers/load.mts';
import { describeStarvation, starve, type Starvation } from '../environment/starve.mts';
import { Watch } from '../callers/watch.mts';

const connections = 10;
const starvation: Starvation = { stoppedMs: 600, runningMs: 200 };
const { stoppedMs, runningMs } = starvation;

export const starved: Drill = {
  name: 'starved',
  action: `gives the program ${describeStarvation(starvation)}`,
  expectation: 'requests are late, and none is lost; the program does not take itself for ill',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceEventLoopBlocked'],
  run: async ({ start, url, subject, either }) => {
    const program = await start();
    const load = new Load(url, await signIn(url), subject, { postEvery: 4 });
    const stopLoad = load.start(connections);
    const ready = new Watch(`${url}/health/ready`);
    const feed = starve(() => [program], starvation);
    await pause(either(20, 8) * (stoppedMs + runningMs));
    await feed();
    await Promise.all([stopLoad(), ready.stop()]);
    const lost = await missing(url, await signIn(url), load.acknowledged);
    return finding(
      {
        requests: load.exchanges.length,
        refused: tally(load.refused),
        'p99, ms': p99(load.exchanges),
        'health checks': ready.replies.length,
        'health checks failed': ready.failed,
        'acknowledged writes lost': lost.length,
      },
      {
        'every request is answered': load.refused.length === 0,
        'health does not fail': ready.failed === 0,
        'every acknowledged write is there': lost.length === 0,
      },
    );
  },
};
