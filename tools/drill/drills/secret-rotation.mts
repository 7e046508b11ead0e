import { administrator, call } from '../callers/callers.mts';
import { type Drill, finding } from '../drill.mts';
import { freePort } from '../programs/free-port.mts';
import { isSuccess } from '../callers/load.mts';
import type { DrillProgram } from '../programs/program.mts';
import { WorkingUser } from '../callers/working-user.mts';

const users = 4;
const [oldSecret, newSecret] = [
  'the secret of the drill before its rotation',
  'the secret of the drill after its rotation',
];

/** The stages. Every program knows the new secret before a program signs with it, and the old secret while it is in use. */
const stages: readonly Record<string, string>[] = [
  { JWT_SECRET: oldSecret, JWT_SECRET_PREVIOUS: newSecret },
  { JWT_SECRET: newSecret, JWT_SECRET_PREVIOUS: oldSecret },
  { JWT_SECRET: newSecret },
];

export const secretRotation: Drill = {
  name: 'secret-rotation',
  action:
    'replaces `JWT_SECRET` of two programs in three rounds of restarts, by `JWT_SECRET_PREVIOUS`, while users work and refresh their tokens',
  expectation: 'no request is refused, and no session ends',
  stores: ['sqlite', 'postgres'],
  fires: [],
  run: async ({ start, newUser, either }) => {
    const ports = [await freePort(), await freePort()];
    const programs: DrillProgram[] = [];
    for (const port of ports) programs.push(await start({ port, env: { JWT_SECRET: oldSecret } }));
    const working = Array.from(
      { length: either(2 * users, users) },
      () => new WorkingUser(() => programs, newUser),
    );
    // One after the other, as sign-ins that cannot be hashed soon are refused.
    for (const [at, user] of working.entries()) await user.open(`user-${at}@example.com`);
    const work = working.map((user) => user.work());
    const beforeRotation = await call(`${programs[0]?.url}/auth/login`, { body: administrator });
    const { access_token: oldToken } = beforeRotation.body;
    for (const env of stages) {
      for (const at of programs.keys()) {
        const before = programs[at];
        programs[at] = await start({ port: await freePort(), env });
        await Promise.all(working.map((user) => user.round()));
        await before?.stop();
      }
    }
    for (const user of working) user.stop();
    await Promise.all(work);
    const outcomes = working.flatMap(({ statuses }) => statuses);
    const old = await call(`${programs[0]?.url}/auth/profile`, { token: oldToken });
    return finding(
      {
        'programs replaced': stages.length * ports.length,
        requests: outcomes.length,
        refused: outcomes.filter((status) => !isSuccess(status)).length,
        refreshes: working.reduce((sum, user) => sum + user.refreshes, 0),
        'a token of the old secret': old.status,
      },
      {
        'no request is refused': outcomes.length > 0 && outcomes.every((status) => isSuccess(status)),
        'tokens of the old secret are refused at the end': old.status === 401,
      },
    );
  },
};
