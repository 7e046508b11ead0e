import { setTimeout as pause } from 'node:timers/promises';
import { signIn } from '../callers/callers.mts';
import { type Drill, type Finding, finding } from '../drill.mts';
import { freePort } from '../programs/free-port.mts';
import type { DrillEnvironment } from '../environment/drill-environment.mts';
import { startHaproxy } from '../proxies/haproxy.mts';
import { Load, tally } from '../callers/load.mts';
import { startNginx } from '../proxies/nginx.mts';
import type { DrillProgram } from '../programs/program.mts';
import { isInstalled, type Proxy } from '../proxies/proxy.mts';
import { describeStarvation, starve, type Starvation } from '../environment/starve.mts';

const connections = 50;
const pollMs = 100;
/** The default. */
const env = { DRAIN_DELAY: '' };
/** The starvation. HAProxy would consider every program down if its check timeout were no longer than its interval. */
const starvation: Starvation = { stoppedMs: 3500, runningMs: 1000 };

const common: Pick<Drill, 'stores' | 'fires' | 'lacks'> = {
  stores: ['sqlite', 'postgres'],
  fires: [],
  lacks: () =>
    isInstalled('haproxy') ? undefined : 'haproxy in the path, for example by apt-get install haproxy',
};

export const rollingRestart: Drill = {
  ...common,
  name: 'rolling-restart',
  action: 'restarts three programs behind HAProxy one after the other, while clients send requests',
  expectation: 'no request is lost, and none is sent twice; each program exits with 0',
  run: (environment) =>
    restartAll(environment, {
      proxy: startHaproxy,
      restarts: environment.either(10, 3),
      requests: environment.either(100_000, 2000),
    }),
};

export const rollingRestartStarved: Drill = {
  ...common,
  name: 'rolling-restart-starved',
  action: `does the same while the programs have ${describeStarvation(starvation)}`,
  expectation: rollingRestart.expectation,
  run: (environment) =>
    restartAll(environment, {
      proxy: startHaproxy,
      restarts: environment.either(6, 3),
      requests: 0,
      starvation,
    }),
};

export const rollingRestartNginx: Drill = {
  ...common,
  name: 'rolling-restart-nginx',
  action:
    'restarts three programs behind nginx, which does not ask for their readiness, while clients send requests',
  expectation: rollingRestart.expectation,
  lacks: () =>
    isInstalled('nginx') ? undefined : 'nginx in the path, for example by apt-get install nginx-light',
  run: (environment) =>
    restartAll(environment, {
      proxy: (ports) => startNginx(ports, environment.folder),
      restarts: environment.either(10, 3),
      requests: 0,
    }),
};

/** The settings for a restart drill: the proxy, the restart count, the least request count, and the slowdown of the machine. */
interface Course {
  readonly proxy: (ports: readonly number[]) => Promise<Proxy>;
  readonly restarts: number;
  readonly requests: number;
  readonly starvation?: Starvation;
}

async function restartAll({ start, subject, prefix }: DrillEnvironment, course: Course): Promise<Finding> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const running = new Map<number, DrillProgram>();
  const proxy = await course.proxy(ports);
  try {
    for (const [at, port] of ports.entries()) running.set(at, await start({ port, env }));
    for (const at of ports.keys()) await proxy.untilUp(at);
    const url = proxy.url + prefix;
    const load = new Load(url, await signIn(url), subject);
    const stopLoad = load.start(connections);
    const feed = course.starvation && starve(() => [...running.values()], course.starvation);
    const exitCodes: (number | null | undefined)[] = [];
    for (let restart = 0; restart < course.restarts; restart++) {
      const at = restart % ports.length;
      exitCodes.push(await running.get(at)?.stop());
      running.set(at, await start({ port: ports[at], env }));
      await proxy.untilUp(at);
    }
    while (load.exchanges.length < course.requests) await pause(pollMs);
    await feed?.();
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
}
