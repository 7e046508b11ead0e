import { setTimeout as pause } from 'node:timers/promises';
import { administrator, call, signIn } from '../callers/callers.mts';
import { runCommand } from '../programs/commands.mts';
import { type Drill, finding } from '../drill.mts';

/** The time limit for revocations that D17 states. */
const revokedWithinMs = 1000;

export const lostAdministrator: Drill = {
  name: 'lost-administrator',
  action: 'sets a new password of the administrator by `npm run admin:reset`, while the program runs',
  expectation:
    'the new password signs in, the old one does not; tokens from before are refused within a second',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, url, store }) => {
    await start();
    const before = await signIn(url);
    const printed = await runCommand('admin:reset', ['--email', administrator.username], store.url);
    await pause(revokedWithinMs);
    const stale = await call(`${url}/auth/profile`, { token: before });
    const old = await call(`${url}/auth/login`, { body: administrator });
    const password = /shown once: (\S+)/.exec(printed)?.[1];
    const now = await call(`${url}/auth/login`, { body: { ...administrator, password } });
    return finding(
      {
        'a token from before': stale.status,
        'the old password': old.status,
        'the new password': now.status,
      },
      {
        'the new password signs in': now.status === 200,
        'the old password is refused': old.status === 401,
        'tokens from before are refused': stale.status === 401,
      },
    );
  },
};
