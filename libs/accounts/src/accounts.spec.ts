import { type AccessClaims, AccessTokens, Passwords } from '@app/auth';
import { type Database, migrate, openDatabase } from '@app/persistence';
import * as argon2 from '@node-rs/argon2';
import { temporaryDatabase, type TemporaryDatabase } from '@app/persistence/testing';
import { accountsSchemas } from '../testing/accounts-database';
import { makeChanges } from '../testing/email-services';
import { secret, testOptions } from '../testing/test-options';
import { FirstCredentials } from './administrators/first-credentials';
import { actorOf } from './access/actor';
import { AccessCheck } from './access/access-check';
import { Accounts } from './accounts';
import { AccountRoles } from './account/account-roles';
import { SignUpAdmission } from './account/sign-up-admission';
import { AccountsStore } from './account/accounts.store';
import { Administration } from './administrators/administration';
import { ApiKeys } from './api-keys/api-keys';
import { AttemptsStore } from './limits/attempts.store';
import { AuditLog } from './audit/audit-log';
import { PasswordCheck } from './password-sign-in/password-check';
import { AccountDisabledError, EmailConflictError } from './errors';
import { AccessRevocation } from './passwords/access-revocation';
import { CurrentPassword } from './passwords/current-password';
import { KnownDevices } from './devices/known-devices';
import { Profiles } from './profiles/profiles';
import { RevocationCache } from './revocation/revocation-cache';
import { Revocations } from './revocation/revocations';
import { SessionsStore } from './sessions/sessions.store';
import { NewDevices } from './devices/new-devices';
import { Login } from './password-sign-in/login';
import { SignInLimits } from './sign-in/sign-in-limits';
import { SignInFactors } from './sign-in/sign-in-factors';
import { SignInAccounts } from './sign-in/sign-in-accounts';
import { SignInRecord } from './sign-in/sign-in-record';
import { SignInSequence } from './sign-in/sign-in-sequence';
import { SignUp } from './sign-up';

const password = 'correct horse battery staple';
const options = testOptions({
  SIGN_IN_FAILURES: 10,
  SIGN_IN_ADDRESS_LIMIT: { limit: 100, windowSeconds: 900 },
});

describe('accounts', () => {
  const tokens = new AccessTokens({ secret, ttlSeconds: 60 });
  let place: TemporaryDatabase;
  let db: Database;
  let store: AccountsStore;
  let signUp: SignUp;
  let accounts: Accounts;
  let access: AccessCheck;
  let signIn: Login;
  let administration: Administration | undefined;

  beforeAll(async () => {
    place = await temporaryDatabase();
    db = openDatabase(place.url);
    await migrate(db, accountsSchemas);
    store = new AccountsStore(db);
    ({ signUp, accounts, access, signIn } = servicesWith(new Passwords()));
  });
  afterAll(async () => {
    await db.destroy();
    await place.remove();
  });

  afterEach(() => void vi.useRealTimers());

  function servicesWith(passwords: Passwords) {
    const audit = new AuditLog(db, 'api');
    const knownDevices = new KnownDevices(db, store, options);
    const attempts = new AttemptsStore(db);
    const limits = new SignInLimits(attempts, audit, knownDevices, options);
    const cache = new RevocationCache((id) => store.stateOf(id), { ttlSeconds: 60 });
    const revocations = new Revocations(db, cache);
    const sessions = new SessionsStore(db);
    const keys = new ApiKeys(db, audit);
    const changes = makeChanges({ db, options, store, sessions, keys, audit });
    const factors = new SignInFactors();
    const check = new PasswordCheck(new SignInAccounts(db, factors), passwords, limits);
    const devices = new NewDevices(knownDevices, attempts, options);
    const record = new SignInRecord(store, factors, devices, changes.mailer, revocations, audit);
    const accessRevocation = new AccessRevocation(
      store,
      sessions,
      keys,
      changes.enrolments,
      limits,
      audit,
      revocations,
      changes.mailer,
    );
    const sequence = new SignInSequence(db, factors, limits, record, accessRevocation);
    administration ??= new Administration(revocations, store, sessions, keys, audit, changes.outbox);
    return {
      signUp: new SignUp(
        db,
        store,
        passwords,
        changes.verification,
        audit,
        new Profiles(db, audit),
        new SignUpAdmission(options, attempts),
      ),
      accounts: new Accounts(
        store,
        passwords,
        new CurrentPassword(store, passwords, limits, options),
        changes.passwordChange,
        changes.emailChange,
        revocations,
        new Profiles(db, audit),
        new FirstCredentials(options),
      ),
      access: new AccessCheck(cache, new AccountRoles(), options),
      signIn: new Login(check, sequence, tokens),
    };
  }

  const claimsOf = (sub: number, username: string, iat = Math.floor(Date.now() / 1000)): AccessClaims => ({
    sub,
    username,
    iat,
    exp: iat + 60,
  });

  it('store a password as a hash only', async () => {
    const { id } = await signUp.create({ email: 'hash@example.com', password });
    const row = await store.findById(id);
    expect(JSON.stringify(row)).not.toContain(password);
    expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  });

  it('change a password while a hundred accounts of one address elsewhere change theirs', async () => {
    const begun: string[] = [];
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const hash = async (text: string) => {
      begun.push(text);
      await end;
      return 'a hash';
    };
    const limits = { concurrency: 1, maxWaiting: 64, deadlineMs: 60_000 };
    const passwords = new Passwords({ hasher: { hash, verify: async () => true }, ...limits });
    const changing = servicesWith(passwords).accounts;
    const change = (newPassword: string, userId: number, ip: string) =>
      changing.change(
        userId,
        { email: 'nobody@example.com', password: newPassword },
        actorOf({ userId }, ip),
      );
    const flood = Array.from({ length: 120 }, (_, index) => change('flood', 10_000 + index, '192.0.2.1'));
    const all = [...flood, change('elsewhere', 20_000, '198.51.100.1')];
    // The accounts are read first, in any order: all have arrived when as many are rejected as there is no place for.
    let rejected = 0;
    for (const attempt of all)
      attempt.catch(() => {
        rejected += 1;
        if (rejected === all.length - limits.concurrency - limits.maxWaiting) resolve();
      });
    await Promise.allSettled(all);
    expect(begun.slice(0, 3)).toEqual(['flood', 'flood', 'elsewhere']);
  });

  it('revoke nothing when nothing has changed', async () => {
    const email = 'unchanged@example.com';
    const { id } = await signUp.create({ email, password });
    const logged = async () => (await db.selectFrom('revocation').select('number').execute()).length;
    const before = await logged();
    expect(await accounts.change(id, { email })).toEqual({});
    expect(await logged()).toBe(before);
    await accounts.change(id, { email: 'changed@example.com' });
    expect(await logged()).toBe(before + 1);
  });

  it('reject an e-mail of another account', async () => {
    const { id } = await signUp.create({ email: 'one@example.com', password });
    await signUp.create({ email: 'two@example.com', password });
    await expect(signUp.create({ email: 'ONE@example.com', password })).rejects.toThrow(EmailConflictError);
    await expect(accounts.change(id, { email: 'Two@example.com' })).rejects.toThrow(EmailConflictError);
  });

  it('store the address of the last sign-in', async () => {
    const { id } = await signUp.create({ email: 'where@example.com', password });
    expect(await signIn.login('where@example.com', password, { ip: '192.0.2.7' })).toEqual(
      expect.any(String),
    );
    expect(await store.findById(id)).toMatchObject({
      lastLoginIp: '192.0.2.7',
      lastLoginAt: expect.any(Date),
    });
  });

  it('rehash a password with outdated parameters at sign-in', async () => {
    const { id } = await signUp.create({ email: 'old@example.com', password });
    const old = await argon2.hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await store.update(id, { passwordHash: old });
    expect(await signIn.login('old@example.com', password, { ip: '::1' })).toEqual(expect.any(String));
    const renewed = (await store.findById(id))?.passwordHash ?? '';
    expect(renewed).toContain('m=64,t=1,p=1');
    expect(await signIn.login('old@example.com', password, { ip: '::1' })).toEqual(expect.any(String));
    expect((await store.findById(id))?.passwordHash).toBe(renewed);
  });

  it('reject a wrong password, an unknown user and a malformed username', async () => {
    await signUp.create({ email: 'known@example.com', password });
    expect(await signIn.login('known@example.com', `${password}x`, { ip: '::1' })).toBeUndefined();
    expect(await signIn.login('unknown@example.com', password, { ip: '::1' })).toBeUndefined();
    expect(await signIn.login('a\0b', password, { ip: '::1' })).toBeUndefined();
  });

  it('do the same work for an unknown user as for a wrong password', async () => {
    const worked: string[] = [];
    const passwords = new Passwords({
      hasher: { hash: async () => '', verify: async (hash) => (worked.push(hash), false) },
    });
    const watched = servicesWith(passwords);
    await watched.signIn.login('unknown@example.com', password, { ip: '::1' });
    expect(worked).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/)]);
  });

  it('report a disabled account only for the right password', async () => {
    const { id } = await signUp.create({ email: 'closed@example.com', password });
    await store.update(id, { disabledAt: new Date() });
    await expect(signIn.login('closed@example.com', password, { ip: '::1' })).rejects.toThrow(
      AccountDisabledError,
    );
    expect(await signIn.login('closed@example.com', 'a wrong password', { ip: '::1' })).toBeUndefined();
    await expect(access.callerOf(claimsOf(id, 'closed@example.com'))).rejects.toThrow(AccountDisabledError);
  });

  it('find the caller of a token', async () => {
    const { id } = await signUp.create({ email: 'caller@example.com', password });
    const claims = { ...claimsOf(id, 'caller@example.com'), sid: 'a session', jti: 'a token' };
    expect(await access.callerOf(claims)).toEqual({
      emailVerified: true,
      userId: id,
      username: 'caller@example.com',
      role: 'user',
      sid: 'a session',
      jti: 'a token',
    });
    await administration?.remove(id);
    expect(await access.callerOf(claims)).toBeUndefined();
  });

  it('reject a token with an e-mail the account never had', async () => {
    const { id } = await signUp.create({ email: 'mine@example.com', password });
    expect(await access.callerOf(claimsOf(id, 'other@example.com'))).toBeUndefined();
  });

  it('accept a token issued before the e-mail changed', async () => {
    const { id } = await signUp.create({ email: 'before@example.com', password });
    const before = claimsOf(id, 'before@example.com', Math.floor(Date.now() / 1000) - 5);
    await accounts.change(id, { email: 'after@example.com' });
    expect(await access.callerOf(before)).toMatchObject({ userId: id });
    const later = claimsOf(id, 'before@example.com', Math.floor(Date.now() / 1000) + 5);
    expect(await access.callerOf(later)).toBeUndefined();
  });

  it('accept tokens issued before two changes of the e-mail within one second', async () => {
    const { id } = await signUp.create({ email: 'first@example.com', password });
    const second = Math.ceil(Date.now() / 1000);
    vi.useFakeTimers({ toFake: ['Date'], now: second * 1000 + 200 });
    await accounts.change(id, { email: 'second@example.com' });
    vi.setSystemTime(second * 1000 + 600);
    await accounts.change(id, { email: 'third@example.com' });
    for (const name of ['first', 'second', 'third'])
      expect(await access.callerOf(claimsOf(id, `${name}@example.com`, second))).toMatchObject({
        userId: id,
      });
    expect(await access.callerOf(claimsOf(id, 'first@example.com', second + 1))).toBeUndefined();
    vi.setSystemTime((second + 1) * 1000);
    await accounts.change(id, { email: 'fourth@example.com' });
    expect(await access.callerOf(claimsOf(id, 'third@example.com', second + 1))).toMatchObject({
      userId: id,
    });
  });

  it('report that an account to change does not exist', async () => {
    expect(await accounts.change(999_999_999, { email: 'nowhere@example.com' })).toBeUndefined();
  });
});
