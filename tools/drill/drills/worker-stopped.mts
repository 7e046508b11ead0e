import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { missing, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { type Exchange, Load, tally } from '../callers/load.mts';
import { childrenOf } from '../programs/processes.mts';

const connections = 10;
const beforeMs = 1500;
const pollMs = 50;
/** The time for `WORKER_TIMEOUT` and the start of a new worker on a busy machine. */
const replacedWithinMs = 20_000;
const deadlineMs = 60_000;

export const workerStopped: Drill = {
  name: 'worker-stopped',
  action: 'stops one of two workers by SIGSTOP under load, and kills its successor while it starts',
  expectation:
    'it is replaced within 20 s; every acknowledged write is there, and requests are answered with 503 at most, while it has the lock of SQLite',
  stores: ['sqlite', 'postgres'],
  fires: [],
  lacks: () => (existsSync('/proc/self/task') ? undefined : 'Linux'),
  run: async ({ start, url, subject, store }) => {
    const program = await start({ env: { WORKERS: '2' } });
    const supervisor = program.child.pid ?? 0;
    const [first = 0, second = 0] = childrenOf(supervisor);
    const load = new Load(url, await signIn(url), subject, { postEvery: 2 });
    const stopLoad = load.start(connections);
    await pause(beforeMs);
    process.kill(second, 'SIGSTOP');
    const stoppedAt = performance.now();
    const within = async (isReached: () => boolean) => {
      while (!isReached() && performance.now() - stoppedAt < deadlineMs) await pause(pollMs);
      return isReached() ? Math.round(performance.now() - stoppedAt) : Number.POSITIVE_INFINITY;
    };
    const successor = () => childrenOf(supervisor).find((pid) => pid !== first && pid !== second) ?? 0;
    const replacedMs = await within(() => successor() !== 0);
    if (successor() !== 0) process.kill(successor(), 'SIGKILL');
    const restartedMs = await within(() => program.log().includes('"msg":"worker restarted"'));
    await pause(beforeMs);
    await stopLoad();
    const lost = await missing(url, await signIn(url), load.acknowledged);
    // A worker stopped while it writes holds the file lock until it is killed, so other writers wait for five seconds.
    const isOfLock = ({ method, outcome }: Exchange) =>
      store.name === 'sqlite' && method === 'POST' && outcome === 503;
    const answered = load.refused.filter(({ outcome }) => typeof outcome === 'number');
    return finding(
      {
        'acknowledged writes': load.acknowledged.length,
        'acknowledged writes lost': lost.length,
        'requests without a response': tally(load.refused.filter((exchange) => !answered.includes(exchange))),
        'responses other than 2xx': tally(answered),
        'replaced after, ms': replacedMs,
        'two workers again after, ms': restartedMs,
      },
      {
        'the worker is replaced within 20 s': replacedMs <= replacedWithinMs,
        'its successor, which died before it listened, is replaced too': restartedMs < deadlineMs,
        'every acknowledged write is there': load.acknowledged.length > 0 && lost.length === 0,
        'no request is answered with an error': answered.every(isOfLock),
      },
    );
  },
};
