import { setTimeout as pause } from 'node:timers/promises';
import { missingPosts, signIn } from '../callers.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99, tally } from '../load.mts';
import { Watch } from '../watch.mts';

const connections = 10;
const stoppedMs = 600;
const runningMs = 200;

export const starved: Drill = {
  name: 'starved',
  does: `gives the program no CPU for ${stoppedMs} ms of every ${stoppedMs + runningMs}, by SIGSTOP and SIGCONT`,
  holds: 'requests are late, and none is lost; the program does not take itself for ill',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceEventLoopBlocked'],
  run: async ({ start, url, either }) => {
    const program = await start();
    const load = new Load(url, await signIn(url), { postEvery: 4 });
    const stopLoad = load.start(connections);
    const ready = new Watch(`${url}/health/ready`);
    for (let stop = 0; stop < either(20, 8); stop++) {
      program.child.kill('SIGSTOP');
      await pause(stoppedMs);
      program.child.kill('SIGCONT');
      await pause(runningMs);
    }
    await Promise.all([stopLoad(), ready.stop()]);
    const lost = await missingPosts(url, await signIn(url), load.acknowledged);
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
