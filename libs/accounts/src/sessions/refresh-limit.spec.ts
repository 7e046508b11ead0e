import { useAccountsDatabase } from '../../testing/accounts-database';
import { FakeTime } from '../../testing/fake-time';
import { type Instance, makeInstance } from '../../testing/instance';
import { TooManyRefreshesError } from '../errors';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];
const [SECOND, MINUTE] = [1_000, 60_000];

describe('refreshes of one session', () => {
  const current = useAccountsDatabase();
  let time: FakeTime;
  let program: Instance;
  let newest: string;
  let id: number;

  beforeEach(async () => {
    time = new FakeTime();
    time.apply();
    program = makeInstance(current.db, time, { refreshes: { limit: 3, windowSeconds: 3600 } });
    id = (await program.signUp.create({ email, password })).id;
    newest = await open();
  });
  afterEach(() => void vi.useRealTimers());

  const open = async () => (await program.openSession(email, password, { ip }))?.refreshToken ?? '';
  const refresh = async (token: string, from = ip) =>
    (await program.sessionSignIn.refresh(token, from))?.refreshToken;
  const turn = async (from = ip) => (newest = (await refresh(newest, from)) ?? '');
  const turns = () =>
    current.db
      .selectFrom('auditEvent')
      .select(['detail', 'createdAt'])
      .where('kind', '=', 'session-refreshed')
      .orderBy('id')
      .execute();

  it('are limited per hour, including repeated ones, independently of other sessions', async () => {
    const first = newest;
    await turn();
    await refresh(first);
    await turn();
    time.pass(20 * MINUTE);
    await expect(turn()).rejects.toEqual(new TooManyRefreshesError(40 * MINUTE));
    expect(await refresh(await open())).toEqual(expect.any(String));
    time.pass(40 * MINUTE);
    expect(await turn()).toEqual(expect.any(String));
  });

  it('open no transaction over the limit', async () => {
    for (const _ of [1, 2, 3]) await turn();
    const begin = vi.spyOn(current.db, 'transact');
    await expect(turn()).rejects.toThrow(TooManyRefreshesError);
    expect(begin).not.toHaveBeenCalled();
  });

  it('end the session over the limit too, if the token was used before', async () => {
    const first = newest;
    for (const _ of [1, 2, 3]) await turn();
    time.pass(11 * SECOND);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(newest)).toBeUndefined();
  });

  it('are limited together when they are concurrent', async () => {
    const replies = await Promise.allSettled(Array.from({ length: 8 }, () => refresh(newest)));
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('are one audit event a day, with the first, the last, their count and addresses', async () => {
    const start = Date.UTC(2026, 2, 1, 23, 50);
    time.step(start - time.wall);
    program = makeInstance(current.db, time);
    newest = await open();
    for (const address of [ip, '192.0.2.8', ip]) {
      time.pass(2 * MINUTE);
      await turn(address);
    }
    for (const _ of [1, 2]) {
      time.pass(4 * MINUTE);
      await turn();
    }
    const rows = (await turns()).map(({ detail, createdAt }) => [createdAt, JSON.parse(detail)]);
    const { id: session } = (await program.sessionsStore.list(id, { limit: 1, offset: 0 }))[0];
    expect(rows).toEqual([
      [
        new Date(start + 2 * MINUTE),
        { session, times: 3, last: '2026-03-01T23:56:00.000Z', addresses: [ip, '192.0.2.8'] },
      ],
      [
        new Date(start + 10 * MINUTE),
        { session, times: 2, last: '2026-03-02T00:04:00.000Z', addresses: [ip] },
      ],
    ]);
  });

  it('list at most twenty addresses, and continue after their event was deleted', async () => {
    program = makeInstance(current.db, time);
    for (let count = 1; count <= 30; count += 1) await turn(`192.0.2.${count}`);
    expect(JSON.parse((await turns())[0].detail)).toMatchObject({
      times: 30,
      addresses: Array.from({ length: 20 }, (_, at) => `192.0.2.${at + 1}`),
    });
    await current.db.deleteFrom('auditEvent').execute();
    await turn();
    expect(JSON.parse((await turns())[0].detail)).toMatchObject({ times: 1 });
  });
});
