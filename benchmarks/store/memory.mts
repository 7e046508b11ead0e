import type { Order } from '../http/load.mts';
import { makeToken } from '../http/routes.mts';
import { secret, startMixedLoad, startServer } from '../http/server.mts';
import { makeDatabases } from './databases.mts';
import { emailAt } from './fill.mts';
import { routes } from './routes.mts';
import { ours, type Store, type Subject, subjectsOf } from './subjects.mts';

/** The memory limit. The resident memory rises between two full garbage collections. */
const mostMebibytes = 256;
/** The number of connections for each route. */
const connections = 10;

/** The server's resident memory after each load step. */
export interface MemoryOverTime {
  readonly store: Store;
  readonly mebibytes: readonly number[];
  readonly requests: number;
}

/**
 * Requests all Sluice routes at once on ten connections each, and reads the server's memory after each step.
 *
 * @param stepMs a step's length
 */
export async function measureMemory(
  store: Store,
  builtIn: string,
  { steps, stepMs }: { readonly steps: number; readonly stepMs: number },
  onProgress: (what: string) => void,
): Promise<MemoryOverTime> {
  const databases = await makeDatabases(store);
  const server = await startServer(subjectOf(store), builtIn, { DATABASE_URL: await databases.copy() });
  const load = startMixedLoad();
  const mebibytes: number[] = [];
  let requests = 0;
  while (mebibytes.length < steps) {
    for (const outcome of await load.run(ordersOf(server.port, stepMs))) requests += outcome.requests;
    mebibytes.push((await server.usage()).memory / 2 ** 20);
    onProgress(`${store}, step ${mebibytes.length} of ${steps}: ${mebibytes.at(-1)?.toFixed(0)} MiB`);
  }
  load.stop();
  await server.stop();
  await databases.remove();
  return { store, mebibytes, requests };
}

/**
 * Returns the memory faults. The memory must stay below the limit, and its peak in the last third may exceed the peak in the
 * previous third by at most a tenth.
 */
export function memoryFaults({ store, mebibytes }: MemoryOverTime): string[] {
  const third = Math.floor(mebibytes.length / 3);
  const [before, last] = [mebibytes.slice(-2 * third, -third), mebibytes.slice(-third)].map((part) =>
    Math.max(...part),
  );
  return [
    ...(Math.max(...mebibytes) > mostMebibytes ? [`${store}: more than ${mostMebibytes} MiB`] : []),
    ...(last > 1.1 * before
      ? [`${store}: it grows, from ${before.toFixed(0)} to ${last.toFixed(0)} MiB`]
      : []),
  ];
}

function subjectOf(store: Store): Subject {
  const subject = subjectsOf[store].find(({ name }) => name === ours);
  if (subject === undefined) throw new TypeError(`${ours} does not run on ${store}`);
  return subject;
}

function ordersOf(port: number, milliseconds: number): Order[] {
  return routes.map(({ method, path, needsToken, body, status }, at) => ({
    port,
    request: { method, path, needsToken, body },
    status,
    mayShed: true,
    tokens: tokens.slice(at * connections, (at + 1) * connections),
    milliseconds,
  }));
}

const tokens = Array.from({ length: routes.length * connections }, (_, at) =>
  makeToken(secret, { name: String(at), sub: at + 1, username: emailAt(at + 1) }),
);
