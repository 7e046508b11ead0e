import { setTimeout as pause } from 'node:timers/promises';
import { jsonAttempt } from '../../attack/wire/exchange.mts';
import { flood } from '../../attack/flood/flood.mts';
import { Wire } from '../../attack/wire/wire.mts';
import { signIn } from '../callers/callers.mts';
import type { Subject } from '../callers/contract.mts';
import { type Drill, finding } from '../drill.mts';
import { Load, p99 } from '../callers/load.mts';
import { Watch } from '../callers/watch.mts';

const connections = 50;
const readers = 2;
/** The latency that a flood may add to the p99 of other routes: P15 in SECURITY.md. */
const addedMs = 250;

export const signInFlood: Drill = {
  name: 'sign-in-flood',
  action:
    'sends sign-ins with wrong passwords on fifty connections, every other one from one address, the others from many',
  expectation: `other routes are answered, and take at most ${addedMs} ms longer (p99); health does not fail`,
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceSignInsRefused'],
  run: async ({ start, url, subject, metricsPort, either }) => {
    await start();
    const token = await signIn(url);
    const seconds = either(20, 8);
    const idle = await observe(url, token, subject, seconds / 2);
    const end = new AbortController();
    const begun = Promise.withResolvers<void>();
    const flooding = flood(
      { wire: new Wire(new URL(url)) },
      connections,
      attempts,
      end.signal,
      begun.resolve,
    );
    await begun.promise;
    const during = await observe(url, token, subject, seconds);
    const counts = await signInsOf(metricsPort);
    end.abort();
    await flooding;
    const [before, after] = [p99(idle.reads.exchanges), p99(during.reads.exchanges)];
    return finding(
      {
        'reads before, p99 ms': before,
        'reads during the flood': during.reads.exchanges.length,
        'their p99, ms': after,
        'sign-ins by outcome': counts,
        'health checks failed': during.ready.failed,
      },
      {
        'other routes are answered': during.reads.refused.length === 0,
        'they are not much slower': after <= before + addedMs,
        'health does not fail': during.ready.failed === 0,
      },
    );
  },
};

async function observe(url: string, token: string, subject: Subject, seconds: number) {
  const [reads, ready] = [new Load(url, token, subject, { postEvery: 0 }), new Watch(`${url}/health/ready`)];
  const stopReads = reads.start(readers);
  await pause(seconds * 1000);
  await Promise.all([stopReads(), ready.stop()]);
  return { reads, ready };
}

async function signInsOf(metricsPort: number): Promise<string> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counts = [...text.matchAll(/^sluice_sign_ins_total\{outcome="([^"]+)"\} (\d+)$/gm)];
  return counts.map(([, outcome, count]) => `${outcome} ×${count}`).join(', ');
}

/** The sign-in attempts, with addresses as a trusted proxy passes them on. */
const attempts = Array.from({ length: 500 }, (_, at) =>
  jsonAttempt(
    'POST',
    '/auth/login',
    { username: `nobody-${at}@example.com`, password: 'a password of nobody' },
    { 'x-forwarded-for': at % 2 === 0 ? '203.0.113.7' : `198.51.100.${at % 250}` },
  ),
);
