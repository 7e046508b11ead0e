import { ForbiddenError, UnauthenticatedError } from '@app/auth';
import { useAccountsDatabase } from '../../testing/accounts-database';
import { FakeTime } from '../../testing/fake-time';
import { callerOf, type Instance, makeInstance } from '../../testing/instance';
import { actorOf } from './actor';
import type { SignedInUser } from './access-check';
import { AccountsStore } from '../account/accounts.store';
import { ApiKeys } from '../api-keys/api-keys';
import { AuditLog } from '../audit/audit-log';
import { AccountDisabledError } from '../errors';

const [password, ip] = ['correct horse battery staple', '192.0.2.7'];

/** Two programs on one store; the second never reads what the first revokes. */
describe('a sign-in that ended at another program, which this one has not read yet (D35)', () => {
  const current = useAccountsDatabase();
  let here: Instance;
  let there: Instance;
  let email: string;
  let id: number;
  let otherId: number;
  let rootId: number;

  beforeEach(async () => {
    const time = new FakeTime();
    time.apply();
    here = makeInstance(current.db, time);
    there = makeInstance(current.openAnother(), time);
    email = 'ada@example.com';
    id = (await there.signUp.create({ email, password })).id;
    otherId = (await there.signUp.create({ email: 'bob@example.com', password })).id;
    rootId = (await there.signUp.create({ email: 'root@example.com', password })).id;
    for (const accountId of [id, rootId]) await there.administration.change(accountId, { role: 'admin' });
  });
  afterEach(() => void vi.useRealTimers());

  const accessTokens = {
    session: async () => (await there.openSession(email, password, { ip }))?.accessToken,
    'plain login': () => there.signIn.login(email, password, { ip }),
  };

  /** The caller, as this program's guard finds it. */
  async function signedIn(way: keyof typeof accessTokens): Promise<SignedInUser> {
    const caller = await callerOf(here, (await accessTokens[way]()) ?? '');
    if (caller === undefined) throw new Error('the token must be valid here');
    return caller;
  }

  const changes: Record<string, (caller: SignedInUser) => Promise<unknown>> = {
    'makes no API key': (caller) => here.keys.create(caller, { name: 'a robot' }, ip),
    'changes no password': (caller) =>
      here.accounts.change(id, { email, password: 'another phrase' }, actorOf(caller)),
    'changes no e-mail': (caller) =>
      here.accounts.change(id, { email: 'thief@example.com' }, actorOf(caller)),
    'changes no password of another': (caller) =>
      here.accounts.change(
        otherId,
        { email: 'bob@example.com', password: 'another phrase' },
        actorOf(caller),
      ),
    'makes no administrator': (caller) =>
      here.administration.change(otherId, { role: 'admin' }, actorOf(caller)),
    'makes no account': (caller) =>
      here.signUp.create({ email: 'eve@example.com', password }, actorOf(caller)),
    'deletes no account': (caller) => here.administration.remove(otherId, actorOf(caller)),
    'deletes not its own account': (caller) => here.administration.remove(id, { caller }),
  };

  /** The rows that a change would leave behind. */
  async function state(): Promise<unknown> {
    const accounts = await there.accountsStore.list({ limit: 10, offset: 0 });
    const keys = await there.keys.list(id, { limit: 10, offset: 0 });
    return [accounts.map((row) => [row.email, row.passwordHash, row.role]), keys];
  }

  describe.each(Object.entries(changes))('%s', (_, change) => {
    /** The error of the change, and whether it left something behind. */
    async function refusalOf(caller: SignedInUser): Promise<unknown> {
      const before = await state();
      const error: unknown = await change(caller).catch((reason: unknown) => reason);
      expect(await state()).toEqual(before);
      return error;
    }

    it.each(['session', 'plain login'] as const)('after the logout of a %s', async (way) => {
      const caller = await signedIn(way);
      await there.sessions.logout(caller, ip);
      expect(await refusalOf(caller)).toBeInstanceOf(UnauthenticatedError);
    });

    it('after its session was ended by another one', async () => {
      const caller = await signedIn('session');
      const [session] = await there.sessionsStore.list(id, { limit: 1, offset: 0 });
      expect(await there.sessions.revoke(id, session.id)).toBe(true);
      expect(await refusalOf(caller)).toBeInstanceOf(UnauthenticatedError);
    });

    it.each(['session', 'plain login'] as const)('unless the %s is still valid', async (way) => {
      await expect(change(await signedIn(way))).resolves.toBeDefined();
    });
  });

  it.each(['changes no password of another', 'makes no administrator', 'deletes no account'])(
    '%s after the role of its account was taken',
    async (name) => {
      const caller = await signedIn('session');
      await there.administration.change(id, { role: 'user' });
      const before = await state();
      await expect(changes[name](caller)).rejects.toThrow(ForbiddenError);
      expect(await state()).toEqual(before);
    },
  );

  it('has the state of the account at its sign-in, and not an older one that is cached', async () => {
    expect((await signedIn('session')).mustChangePassword).toBeUndefined();
    const root = await there.signIn.login('root@example.com', password, { ip });
    const administrator = await callerOf(there, root ?? '');
    const change = { email, password: 'set by an administrator' };
    await there.accounts.change(id, change, actorOf({ ...administrator, userId: rootId }));
    const token = await there.signIn.login(email, change.password, { ip });
    expect((await callerOf(here, token ?? ''))?.mustChangePassword).toBe(true);
  });

  it('is not an API key that was revoked, or not', async () => {
    const caller = await signedIn('session');
    const { row, key } = await there.keys.create(caller, { name: 'a robot' });
    const holder = await here.keys.callerOf(key);
    if (holder === undefined) throw new Error('the key must be valid here');
    await there.accounts.change(id, { email, password: 'another phrase' }, actorOf(caller));
    await expect(here.keys.create(holder, { name: 'its own' })).resolves.toBeDefined();
    await there.keys.revoke(id, row.id);
    await expect(here.keys.create(holder, { name: 'its own' })).rejects.toThrow(UnauthenticatedError);
  });
});

describe('an API key of a sign-in that was revoked after the check of the guard', () => {
  const database = useAccountsDatabase();

  const revoke = {
    'by a new token generation': (store: AccountsStore, id: number) =>
      store.incrementTokenGeneration(id, undefined, database.db),
    'by disabling the account': (store: AccountsStore, id: number) =>
      store.update(id, { disabledAt: new Date() }),
    'by removing the account': (store: AccountsStore, id: number) => store.remove(id),
  };

  it.each([
    ['by a new token generation', UnauthenticatedError],
    ['by disabling the account', AccountDisabledError],
    ['by removing the account', UnauthenticatedError],
  ] as const)('is not made: %s', async (how, error) => {
    const { db } = database;
    const store = new AccountsStore(db);
    const keys = new ApiKeys(db, new AuditLog(db, 'api'));
    const { id } = await store.insert({ email: 'ada@example.com', passwordHash: 'none' });
    const caller = { userId: id, jti: 'a plain login' };
    await keys.create(caller, { name: 'before' });
    await revoke[how](store, id);
    await expect(keys.create(caller, { name: 'after' })).rejects.toThrow(error);
    const names = (await keys.list(id, { limit: 10, offset: 0 })).map(({ name }) => name);
    expect(names).not.toContain('after');
  });
});
