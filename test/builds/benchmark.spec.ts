import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServers } from '../../benchmarks/http/build.mts';
import { startAll } from '../../benchmarks/http/measure.mts';
import { subjects } from '../../benchmarks/http/subjects.mts';

let builtIn: string;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  builtIn = await buildServers(
    join(__dirname, '../../benchmarks/http'),
    subjects.map(({ entry }) => entry),
  );
}, 120_000);

afterAll(async () => {
  for (const stop of ends) await stop();
});

test.each(subjects)(
  '$name sends what the benchmark of the six routes expects',
  async (subject) => {
    const [server] = await startAll([subject], builtIn);
    ends.push(() => server.stop());
    expect(server.millisecondsToAnswer).toBeGreaterThan(0);
  },
  60_000,
);
