import { useAccountsDatabase } from '../../testing/accounts-database';
import { FakeTime } from '../../testing/fake-time';
import { type Instance, makeInstance, ttlSeconds } from '../../testing/instance';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];
const [SECOND, HOUR] = [1_000, 3_600_000];

describe('a refresh token (D19)', () => {
  const current = useAccountsDatabase();
  let time: FakeTime;
  let program: Instance;
  let first: string;
  let id: number;

  beforeEach(async () => {
    time = new FakeTime();
    time.apply();
    program = makeInstance(current.db, time);
    id = (await program.signUp.create({ email, password })).id;
    first = (await program.openSession(email, password, { ip }))?.refreshToken ?? '';
  });
  afterEach(() => void vi.useRealTimers());

  const refresh = async (token: string, { sessionSignIn } = program) =>
    (await sessionSignIn.refresh(token, ip))?.refreshToken;

  it('is deleted once its successor was used, and its reuse is still detected', async () => {
    let newest = first;
    for (let count = 0; count < 20; count += 1) {
      time.pass(SECOND);
      newest = (await refresh(newest)) ?? '';
    }
    expect(await current.db.selectFrom('refreshToken').select('hash').execute()).toHaveLength(2);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(newest)).toBeUndefined();
  });

  it('expires with its session, which is then not listed', async () => {
    const list = () => program.sessionsStore.list(id, { limit: 10, offset: 0 });
    time.pass(ttlSeconds.session * SECOND - SECOND);
    const successor = await refresh(first);
    time.pass(ttlSeconds.session * SECOND - SECOND);
    expect(await list()).toHaveLength(1);
    time.pass(SECOND);
    expect(await refresh(successor ?? '')).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  it('expires some time after the sign-in, however often it is used', async () => {
    const expiresAt = async () =>
      (await program.sessionsStore.list(id, { limit: 1, offset: 0 }))[0]?.expiresAt;
    const end = time.wall + ttlSeconds.total * SECOND;
    let newest = first;
    for (let hour = 1; hour < (ttlSeconds.total * SECOND) / HOUR; hour += 1) {
      time.pass(HOUR);
      newest = (await refresh(newest)) ?? '';
    }
    expect((await expiresAt())?.getTime()).toBe(end);
    time.pass(HOUR - 1);
    newest = (await refresh(newest)) ?? '';
    expect(newest).not.toBe('');
    time.pass(1);
    expect(await refresh(newest)).toBeUndefined();
  });

  it('expires by a lifetime that was shortened since', async () => {
    await current.db
      .updateTable('session')
      .set({ createdAt: new Date(time.wall - ttlSeconds.total * SECOND) })
      .execute();
    expect(await refresh(first)).toBeUndefined();
  });

  it('fails when its session is deleted before it is locked', async () => {
    const { sessionsStore } = program;
    const lock = sessionsStore.lock.bind(sessionsStore);
    // At each attempt: one whose commit is rolled back has not deleted it.
    vi.spyOn(sessionsStore, 'lock').mockImplementation(async (sessionId, db) => {
      await sessionsStore.remove(sessionId, db);
      return lock(sessionId, db);
    });
    expect(await refresh(first)).toBeUndefined();
  });

  it('is deleted with its expired session, in batches', async () => {
    await program.openSession(email, password, { ip });
    time.pass(7 * HOUR);
    const deleteOne = () => program.sessionsStore.deleteExpired(new Date(), 1);
    expect([await deleteOne(), await deleteOne(), await deleteOne()]).toEqual([1, 1, 0]);
    expect(await current.db.selectFrom('refreshToken').select('hash').execute()).toEqual([]);
  });

  it('returns its successor again only while that was not rotated itself', async () => {
    const second = (await refresh(first)) ?? '';
    expect(await refresh(first)).toBe(second);
    const third = (await refresh(second)) ?? '';
    expect(await refresh(second)).toBe(third);
    time.pass(SECOND);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(third)).toBeUndefined();
  });

  it('opens no transaction if it is forged', async () => {
    const begin = vi.spyOn(current.db, 'transact');
    const forged = first.slice(0, -2) + (first.endsWith('AA') ? 'BB' : 'AA');
    expect(await refresh(forged)).toBeUndefined();
    expect(await refresh('A'.repeat(80))).toBeUndefined();
    expect(begin).not.toHaveBeenCalled();
    await refresh(first);
    expect(begin).toHaveBeenCalled();
  });

  it('returns its successor again by a clock a few seconds behind', async () => {
    const successor = await refresh(first);
    time.step(-4 * SECOND);
    expect(await refresh(first, makeInstance(current.openAnother(), time))).toBe(successor);
  });

  it('counts as reused when its rotation is an hour in the future', async () => {
    const successor = await refresh(first);
    time.step(-HOUR);
    const secondInstance = makeInstance(current.openAnother(), time);
    expect(await refresh(first, secondInstance)).toBeUndefined();
    expect(await refresh(successor ?? '', secondInstance)).toBeUndefined();
  });
});
