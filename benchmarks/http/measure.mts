import { checkResponses, checkHeaders } from './check.mts';
import { makeToken, type Route, routes } from './routes.mts';
import { secret, type Server, startLoad, startServer } from './server.mts';
import type { Subject } from './subjects.mts';

/** The effort of a measurement. */
export interface Effort {
  readonly rounds: number;
  /** The warm-up for each route and subject in each round. */
  readonly warmUpMs: number;
  /** The slices per route in a round. Subjects take turns, so that other work on the machine affects all subjects. */
  readonly slices: number;
  readonly sliceMs: number;
}

/** A number from a round. */
export interface Sample {
  readonly case: string;
  readonly subject: string;
  readonly unit: string;
  readonly value: number;
}

type Load = ReturnType<typeof startLoad>;

/** The tokens, with a token for each connection, because a service has many callers. */
const tokens = Array.from({ length: 50 }, (_, at) => makeToken(secret, { name: String(at) }));

/**
 * Measures all subjects alternately. Each round restarts all subjects and measures a route after the other. Subjects take turns
 * in slices, and each turn starts with a different subject. Timing starts when all responses are equal.
 */
export async function measureAll(
  subjects: readonly Subject[],
  builtIn: string,
  { rounds, warmUpMs, slices, sliceMs }: Effort,
  onProgress: (what: string) => void,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const load = startLoad();
  for (let round = 1; round <= rounds; round++) {
    const servers = await startAll(subjects, builtIn);
    samples.push(
      ...servers.map(({ name, millisecondsToAnswer }) =>
        sample('first answer', name, 'ms', millisecondsToAnswer),
      ),
    );
    for (const [step, route] of routes.entries()) {
      onProgress(`round ${round} of ${rounds}: ${route.key} ${route.title}`);
      for (const server of servers) await load.run({ ...orderOf(route, server), milliseconds: warmUpMs });
      for (let slice = 0; slice < slices; slice++)
        for (const server of rotated(servers, round + step + slice))
          samples.push(...(await measure(route, server, load, sliceMs)));
    }
    for (const server of servers) {
      const { memory } = await server.usage();
      samples.push(sample('resident memory', server.name, 'MiB', memory / 1024 / 1024));
      await server.stop();
    }
  }
  load.stop();
  return samples;
}

/**
 * Starts servers in sequence.
 *
 * @throws Error if a server gives an unexpected response; the servers are stopped before
 */
export async function startAll(subjects: readonly Subject[], builtIn: string): Promise<Server[]> {
  const servers: Server[] = [];
  for (const subject of subjects) {
    const server = await startServer(subject, builtIn);
    await Promise.all([
      checkResponses(server.url, secret),
      subject.isEquipped ? checkHeaders(server.url) : undefined,
    ]).catch(async (cause: unknown) => {
      for (const started of [...servers, server]) await started.stop();
      throw new Error(`${subject.name} has other responses`, { cause });
    });
    servers.push(server);
  }
  return servers;
}

async function measure(route: Route, server: Server, load: Load, milliseconds: number): Promise<Sample[]> {
  const before = await server.usage();
  const { requests, perSecond, p50, p99 } = await load.run({ ...orderOf(route, server), milliseconds });
  const after = await server.usage();
  return [
    sample(route.key, server.name, 'µs CPU per request', (after.cpu - before.cpu) / requests),
    sample(route.key, server.name, 'requests/s', perSecond),
    sample(route.key, server.name, 'ms p50', p50),
    sample(route.key, server.name, 'ms p99', p99),
  ];
}

function orderOf(route: Route, { port }: Server) {
  const { method, path, needsToken, body, status } = route;
  return { port, request: { method, path, needsToken, body }, status, tokens };
}

function sample(name: string, subject: string, unit: string, value: number): Sample {
  return { case: name, subject, unit, value };
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
