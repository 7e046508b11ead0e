import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { administrator, call, type Reply, signIn } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { fakeTime, lacksFakeTime } from '../environment/fake-time.mts';

const lifetimeSeconds = 3;
/** Of the wall clock of the program against that of the machine, in hours. */
const steps = [-2, 0, 2, 0];
const hourMs = 3_600_000;

export const clockStep: Drill = {
  name: 'clock-step',
  action: 'sets the wall clock of the program two hours back, forward, and back again, by libfaketime',
  expectation:
    'sessions go on, and new tokens are accepted at once; a token is refused after its lifetime, and an ended session stays ended',
  stores: ['sqlite', 'postgres'],
  fires: [],
  lacks: lacksFakeTime,
  run: async ({ start, url, folder }) => {
    const clock = join(folder, 'clock');
    writeFileSync(clock, '+0');
    await start({ env: { ...fakeTime(clock), ACCESS_TOKEN_TTL: `${lifetimeSeconds}s` } });
    const ended = await openSession(url);
    await call(`${url}/auth/logout`, { token: ended.access_token, body: {} });
    let session = await openSession(url);
    const refreshes: Reply[] = [];
    const profiles: Reply[] = [];
    const expired: Reply[] = [];
    const revived: Reply[] = [];
    const clocks: number[] = [];
    for (const hours of steps) {
      const token = await signIn(url);
      writeFileSync(clock, `${hours < 0 ? '' : '+'}${hours}h`);
      const refresh = await call(`${url}/auth/refresh`, { body: { refresh_token: session.refresh_token } });
      refreshes.push(refresh);
      if (refresh.status === 200) session = refresh.body;
      profiles.push(await call(`${url}/auth/profile`, { token: session.access_token }));
      profiles.push(await call(`${url}/auth/profile`, { token: await signIn(url) }));
      await pause((lifetimeSeconds + 1) * 1000);
      expired.push(await call(`${url}/auth/profile`, { token }));
      const refused = await call(`${url}/auth/refresh`, { body: { refresh_token: ended.refresh_token } });
      revived.push(refused);
      clocks.push(Math.round((Date.parse(refused.headers.date ?? '') - Date.now()) / hourMs));
    }
    return finding(
      {
        'hours that its clock was ahead': clocks.join(', '),
        refreshes: statusesOf(refreshes),
        'new tokens': statusesOf(profiles),
        'tokens after their lifetime': statusesOf(expired),
        'refreshes of an ended session': statusesOf(revived),
      },
      {
        'its clock is set': clocks.join() === steps.join(),
        'sessions go on': all(refreshes, 200),
        'new tokens are accepted': all(profiles, 200),
        'tokens are refused after their lifetime': all(expired, 401),
        'an ended session stays ended': all(revived, 401),
      },
    );
  },
};

async function openSession(url: string): Promise<Reply['body']> {
  return (await call(`${url}/auth/sessions`, { body: administrator })).body;
}

function all(replies: readonly Reply[], wanted: number): boolean {
  return replies.every(({ status }) => status === wanted);
}

function statusesOf(replies: readonly Reply[]): string {
  return replies.map(({ status }) => status).join(', ');
}
