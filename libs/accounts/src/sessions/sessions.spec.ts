import { useMigratedDatabase } from '@app/persistence/testing';
import { HeldTime } from '../../testing/held-time';
import { type ProgramParts, programParts, ttlSeconds } from '../../testing/program-parts';

const [email, password, ip] = ['ada@example.com', 'correct horse battery staple', '192.0.2.7'];
const [SECOND, HOUR] = [1_000, 3_600_000];

describe('a refresh token (D19)', () => {
  const current = useMigratedDatabase();
  let time: HeldTime;
  let program: ProgramParts;
  let first: string;
  let id: number;

  beforeEach(async () => {
    time = new HeldTime();
    time.hold();
    program = programParts(current.db, time);
    id = (await program.accounts.signUp({ email, password })).id;
    first = (await program.sessions.open(email, password, ip))?.refreshToken ?? '';
  });
  afterEach(() => void vi.useRealTimers());

  const refresh = async (token: string, { sessions } = program) =>
    (await sessions.refresh(token, ip))?.refreshToken;

  it('is forgotten by the store some time after its use, and still tells a theft', async () => {
    let newest = first;
    for (let count = 0; count < 20; count += 1) {
      time.pass(11 * SECOND);
      newest = (await refresh(newest)) ?? '';
    }
    expect(await current.db.selectFrom('refreshToken').select('hash').execute()).toHaveLength(2);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(newest)).toBeUndefined();
  });

  it('is over with its session, which is no longer listed then', async () => {
    const list = () => program.sessionsStore.list(id, { limit: 10, offset: 0 });
    time.pass(ttlSeconds.session * SECOND - SECOND);
    const successor = await refresh(first);
    time.pass(ttlSeconds.session * SECOND - SECOND);
    expect(await list()).toHaveLength(1);
    time.pass(SECOND);
    expect(await refresh(successor ?? '')).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  it('gives nothing when its session ends before the successor is written', async () => {
    const { sessionsStore } = program;
    const insert = sessionsStore.insertToken.bind(sessionsStore);
    vi.spyOn(sessionsStore, 'insertToken').mockImplementationOnce(async (hash, sessionId, db) => {
      await sessionsStore.remove(sessionId, db);
      await insert(hash, sessionId, db);
    });
    expect(await refresh(first)).toBeUndefined();
  });

  it('is swept with its session, so many at a time', async () => {
    await program.sessions.open(email, password, ip);
    time.pass(7 * HOUR);
    const sweep = () => program.sessionsStore.forgetExpired(new Date(), 1);
    expect([await sweep(), await sweep(), await sweep()]).toEqual([1, 1, 0]);
    expect(await current.db.selectFrom('refreshToken').select('hash').execute()).toEqual([]);
  });

  it('gives its successor again only while that was not turned itself', async () => {
    const second = (await refresh(first)) ?? '';
    expect(await refresh(first)).toBe(second);
    const third = (await refresh(second)) ?? '';
    expect(await refresh(second)).toBe(third);
    time.pass(SECOND);
    expect(await refresh(first)).toBeUndefined();
    expect(await refresh(third)).toBeUndefined();
  });

  it('opens no transaction when it is forged', async () => {
    const begin = vi.spyOn(current.db, 'transaction');
    const forged = first.slice(0, -2) + (first.endsWith('AA') ? 'BB' : 'AA');
    expect(await refresh(forged)).toBeUndefined();
    expect(await refresh('A'.repeat(80))).toBeUndefined();
    expect(begin).not.toHaveBeenCalled();
    await refresh(first);
    expect(begin).toHaveBeenCalled();
  });

  it('gives its successor again by a clock that is a few seconds behind', async () => {
    const successor = await refresh(first);
    time.step(-4 * SECOND);
    expect(await refresh(first, programParts(current.openAnother(), time))).toBe(successor);
  });

  it('counts as stolen when its use lies an hour ahead', async () => {
    const successor = await refresh(first);
    time.step(-HOUR);
    const other = programParts(current.openAnother(), time);
    expect(await refresh(first, other)).toBeUndefined();
    expect(await refresh(successor ?? '', other)).toBeUndefined();
  });
});
