import { setTimeout as pause } from 'node:timers/promises';
import { flood } from '../../attack/flood/flood.mts';
import { Wire } from '../../attack/wire/wire.mts';
import { signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { p99 } from '../callers/load.mts';
import { Watch } from '../callers/watch.mts';

const connections = 250;
/** The limits, which any machine can reach. The defaults are 250 and 1000. */
const limits = { MAX_DELAY: '20ms', MAX_IN_FLIGHT: '50' };
/** The time limit that P15 in SECURITY.md states. */
const refusedWithinMs = 1000;
const answeredWithinMs = 5000;

export const requestFlood: Drill = {
  name: 'request-flood',
  action: `sends requests on ${connections} connections, more than the program can answer, with MAX_DELAY=${limits.MAX_DELAY} and MAX_IN_FLIGHT=${limits.MAX_IN_FLIGHT}`,
  expectation:
    'the surplus is refused with 503 and `Retry-After` within a second, the rest is answered; health does not fail; afterwards nothing is refused',
  stores: ['sqlite', 'postgres'],
  fires: ['SluiceOverloaded'],
  run: async ({ start, url, subject, either }) => {
    await start({ env: { ...limits, TRUST_PROXY: 'off' } });
    const token = await signIn(url);
    const headers = { authorization: `Bearer ${token}` };
    const attempts = [{ method: 'GET', path: subject.list, headers }];
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
    const [reads, ready] = [new Watch(url + subject.list, token), new Watch(`${url}/health/ready`)];
    await pause(either(15_000, 6000));
    await Promise.all([reads.stop(), ready.stop()]);
    end.abort();
    await flooding;
    const refused = reads.replies.filter(({ status }) => status === 503);
    const answered = reads.replies.filter(({ status }) => status === 200);
    const after = new Watch(url + subject.list, token);
    await pause(2000);
    await after.stop();
    return finding(
      {
        'requests of a baseline caller': reads.replies.length,
        'of these refused': refused.length,
        'their p99, ms': p99(refused),
        'p99 of those answered, ms': p99(answered),
        'health checks': ready.replies.length,
        'health checks failed': ready.failed,
        'refused afterwards': after.replies.slice(5).filter(({ status }) => status !== 200).length,
      },
      {
        'requests are answered, or refused with 503': reads.replies.every(
          ({ status }) => status === 200 || status === 503,
        ),
        'refusals have Retry-After': refused.every((reply) => reply.headers['retry-after'] !== undefined),
        'refusals take less than a second': p99(refused) <= refusedWithinMs,
        'responses take less than five': p99(answered) <= answeredWithinMs,
        'health does not fail': ready.failed === 0,
        'nothing is refused afterwards': after.replies.slice(5).every(({ status }) => status === 200),
      },
    );
  },
};
