import { expectAnswer } from '../http/check.mts';
import type { Order } from '../http/load.mts';
import type { Sample } from '../http/measure.mts';
import { makeToken } from '../http/routes.mts';
import { secret, type Server, startLoad, startMixedLoad, startServer } from '../http/server.mts';
import { type Databases, makeDatabases } from './databases.mts';
import { emailAt } from './fill.mts';
import { refusals, type Route, routes } from './routes.mts';
import { type Store, type Subject, subjectsOf } from './subjects.mts';

/** A number from a store. */
export interface StoreSample extends Sample {
  readonly store: Store;
}

/** The effort of a measurement. */
export interface Effort {
  readonly rounds: number;
  /** The warm-up for each route and subject in each round. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** The accounts' tokens. Each account has a connection. */
const tokens = Array.from({ length: 50 }, (_, at) =>
  makeToken(secret, { name: String(at), sub: at + 1, username: emailAt(at + 1) }),
);
const [reads, , , writes] = routes;

/**
 * Measures all subjects on a store alternately. Each round restarts all subjects on equal database copies and measures a route
 * after the other. Timing starts when all responses are equal.
 */
export async function measureStore(
  store: Store,
  builtIn: string,
  { rounds, warmUpMs, measureMs }: Effort,
  onProgress: (what: string) => void,
): Promise<StoreSample[]> {
  const load = startLoad();
  const databases = await makeDatabases(store);
  const samples: StoreSample[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const servers: Server[] = [];
    for (const subject of subjectsOf[store]) servers.push(await start(subject, builtIn, databases));
    for (const [step, route] of routes.entries()) {
      onProgress(`${store}, round ${round} of ${rounds}: ${route.title}`);
      for (const server of rotated(servers, round + step)) {
        await load.run({ ...orderOf(route, server), milliseconds: warmUpMs });
        const before = await server.usage();
        const { requests } = await load.run({ ...orderOf(route, server), milliseconds: measureMs });
        const { cpu } = await server.usage();
        const value = (cpu - before.cpu) / requests;
        samples.push({ store, case: route.key, subject: server.name, unit: 'µs CPU per request', value });
      }
    }
    for (const server of servers) await server.stop();
  }
  load.stop();
  await databases.remove();
  return samples;
}

/**
 * Measures forty connections that post orders while ten connections read `GET /users/me`, on SQLite, with the normal fsync and a
 * slower fsync.
 *
 * @param environments the server environments by the disk that they simulate
 */
export async function measureMixed(
  builtIn: string,
  environments: ReadonlyMap<string, Readonly<Record<string, string>>>,
  { warmUpMs, measureMs }: Omit<Effort, 'rounds'>,
  onProgress: (what: string) => void,
): Promise<StoreSample[]> {
  const load = startMixedLoad();
  const databases = await makeDatabases('SQLite');
  const samples: StoreSample[] = [];
  for (const [name, env] of environments) {
    for (const subject of subjectsOf.SQLite) {
      onProgress(`mixed load, ${name}: ${subject.name}`);
      // The default: overload must not be what the own fsyncs cause.
      const server = await start(subject, builtIn, databases, { MAX_DELAY: '', ...env });
      const orders = (lasting: number): Order[] => [
        { ...orderOf(writes, server), tokens: tokens.slice(0, 40), mayShed: true, milliseconds: lasting },
        { ...orderOf(reads, server), tokens: tokens.slice(40), mayShed: true, milliseconds: lasting },
      ];
      await load.run(orders(warmUpMs));
      const [written, read] = await load.run(orders(measureMs));
      const sample = (unit: string, value: number) =>
        samples.push({ store: 'SQLite', case: name, subject: subject.name, unit, value });
      sample('orders/s', written.perSecond - (written.shed * 1000) / measureMs);
      sample('ms p50 of reads', read.p50);
      sample('ms p99 of reads', read.p99);
      sample('responses with 503', written.shed + read.shed);
      await server.stop();
    }
  }
  load.stop();
  await databases.remove();
  return samples;
}

async function start(subject: Subject, builtIn: string, databases: Databases, env = {}): Promise<Server> {
  const server = await startServer(subject, builtIn, {
    ...subject.env,
    ...env,
    DATABASE_URL: await databases.copy(),
  });
  try {
    const [token] = tokens;
    for (const route of routes) await expectAnswer(server.url, { ...route, token });
    for (const refusal of refusals(token)) await expectAnswer(server.url, refusal);
  } catch (cause) {
    throw new Error(`${subject.name} has other responses`, { cause });
  }
  return server;
}

function orderOf({ method, path, needsToken, body, status }: Route, { port }: Server) {
  return { port, request: { method, path, needsToken, body }, status, tokens };
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
