import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../callers.mts';
import { type Drill, finding } from '../drill.mts';
import { freePort } from '../free-port.mts';
import { hasHaproxy, startHaproxy } from '../haproxy.mts';
import { Load, tally } from '../load.mts';
import type { DrillProgram } from '../program.mts';

const connections = 50;
const pollMs = 100;
const drainDelayMs = 5000;

export const rollingRestart: Drill = {
  name: 'rolling-restart',
  does: `restarts three programs behind HAProxy one after the other, with DRAIN_DELAY=${drainDelayMs}, while clients send requests`,
  holds: 'no request is lost, and none is sent twice; each program exits with 0',
  stores: ['sqlite', 'postgres'],
  fires: [],
  lacks: () => (hasHaproxy() ? undefined : 'haproxy in the path, for example by apt-get install haproxy'),
  run: async ({ start, either }) => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const env = { DRAIN_DELAY: String(drainDelayMs) };
    const programs: DrillProgram[] = [];
    const proxy = await startHaproxy(ports);
    try {
      for (const port of ports) programs.push(await start({ port, env }));
      for (const at of ports.keys()) await proxy.untilUp(`api${at + 1}`);
      const load = new Load(proxy.url, await signIn(proxy.url));
      const stopLoad = load.start(connections);
      const exitCodes: (number | null)[] = [];
      for (let restart = 0; restart < either(10, 3); restart++) {
        const at = restart % ports.length;
        exitCodes.push((await programs[at]?.stop()) ?? null);
        programs[at] = await start({ port: ports[at], env });
        await proxy.untilUp(`api${at + 1}`);
      }
      while (load.exchanges.length < either(100_000, 2000)) await pause(pollMs);
      await stopLoad();
      return finding(
        {
          requests: load.exchanges.length,
          'of these POST': load.exchanges.filter(({ method }) => method === 'POST').length,
          lost: tally(load.refused),
          restarts: exitCodes.length,
          'exit codes': [...new Set(exitCodes)].join(', '),
        },
        {
          'no request is lost': load.refused.length === 0,
          'each program exits with 0': exitCodes.every((code) => code === 0),
        },
      );
    } finally {
      await proxy.stop();
    }
  },
};
