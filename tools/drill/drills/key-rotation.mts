import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../programs/commands.mts';
import { type Drill, finding } from '../drill.mts';
import { freePort } from '../programs/free-port.mts';
import { isSuccess } from '../callers/load.mts';
import { WorkingUser } from '../callers/working-user.mts';

const pollMs = 100;
const waitSeconds = 3;
/** The algorithms in rotation order. */
const algorithms = ['ES256', 'EdDSA', 'HS256'] as const;

export const keyRotation: Drill = {
  name: 'key-rotation',
  action:
    'rotates the key of two programs by `npm run keys`, from each algorithm to the next, while users work and refresh their tokens',
  expectation: 'no request is refused, and no program is restarted',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, newUser, either, folder, store }) => {
    const env = {
      JWT_KEY_FILE: join(folder, 'jwt-keys.json'),
      ACCESS_TOKEN_TTL: '20s',
      REFRESH_SESSION_LIMIT: 'off',
    };
    const programs = [
      await start({ port: await freePort(), env }),
      await start({ port: await freePort(), env }),
    ];
    const users = Array.from({ length: either(16, 4) }, () => new WorkingUser(() => programs, newUser));
    for (const [at, user] of users.entries()) await user.open(`user-${at}@example.com`);
    const work = users.map((user) => user.work());
    const count = () => users.reduce((sum, { statuses }) => sum + statuses.length, 0);
    const rotated: string[] = [];
    while (rotated.length < either(algorithms.length, 1)) {
      const algorithm = algorithms[rotated.length % algorithms.length] ?? 'HS256';
      await runCommand(
        'keys',
        ['rotate', '--algorithm', algorithm, '--wait', `${waitSeconds}`],
        store.url,
        env,
      );
      rotated.push(algorithm);
    }
    while (count() < either(100_000, 500)) await pause(pollMs);
    for (const user of users) user.stop();
    await Promise.all(work);
    const statuses = users.flatMap((user) => user.statuses);
    return finding(
      {
        rotations: rotated.join(', '),
        requests: statuses.length,
        refused: statuses.filter((status) => !isSuccess(status)).length,
        refreshes: users.reduce((sum, { refreshes }) => sum + refreshes, 0),
      },
      {
        'no request is refused': statuses.every(isSuccess),
      },
    );
  },
};
