import { type Database, DatabaseSchemas } from '@app/persistence';
import { QueryRecord } from '@app/persistence/testing';
import { useAccountsDatabase } from '../testing/accounts-database';
import { testOptions } from '../testing/test-options';
import { lookupsIn } from '../testing/account-lookups';
import { profileSchema, SampleProfile } from '../testing/sample-profile';
import { accountTable } from './account/account.table';
import { accountsSchema } from './schema.providers';
import { AccountsStore } from './account/accounts.store';
import { ApiKeys } from './api-keys/api-keys';
import { AttemptsStore } from './limits/attempts.store';
import { AuditChain } from './audit/audit-chain';
import { exportAudit } from './audit/audit-export';
import { ChainCheck } from './audit/chain-check';
import { AuditLog } from './audit/audit-log';
import { checkUnreserved, EmailLinksStore } from './account/email-links.store';
import { forgetDevices, KnownDevices } from './devices/known-devices';
import { RevocationCache } from './revocation/revocation-cache';
import { RevocationFeed } from './revocation/revocation-feed';
import { Revocations } from './revocation/revocations';
import { TrustedIdentitiesStore } from './identities/trusted-identities.store';
import { SessionsStore } from './sessions/sessions.store';
import { ProfileShape } from './profiles/profile-shape';
import { Profiles } from './profiles/profiles';
import { makeSid } from './access/sid';
import { checkStillSignedIn } from './access/sign-in-check';
import { Challenges, deleteExpiredChallenges } from './sign-in/challenges';
import { SignInAccounts } from './sign-in/sign-in-accounts';
import { SignInFactors } from './sign-in/sign-in-factors';
import { PendingSignIns } from './sign-in/pending-sign-ins';

const [first, next] = [
  { limit: 10, offset: 0 },
  { limit: 10, offset: 0, after: 1 },
];
const now = new Date();
const policy = { free: 1, waits: [1000], since: 'latestAt', forgetAfter: 1000 } as const;

/** Every store method, which the routes of both applications and the background use. */
describe('the queries of accounts', () => {
  const store = useAccountsDatabase(profileSchema);
  const record = new QueryRecord();

  beforeEach(async () => {
    const { db } = store;
    const accountId = await useAccounts(db);
    await useEmailLinks(db, accountId);
    await useProfiles(db, accountId);
    await usePendingSignIns(db, accountId);
    await useSessions(db, accountId);
    await useKeys(db, accountId);
    await useAudit(db, accountId);
    await useSignInRecords(db, accountId);
    await useRevocations(db);
    await useTrustedIdentities(db);
    await new AccountsStore(db).remove(accountId);
  });

  it('read no growing table completely', async () => {
    const { db } = store;
    expect(
      record.unexecuted('libs/accounts/src', db.dialect === 'postgres' ? onSqliteOnly : onPostgresOnly),
    ).toEqual({});
    expect(await record.fullScans(db, 'account_administrators')).toEqual([]);
  });

  /** An engine that distributes rows by account executes any other on all of its nodes. */
  it('name the account whose rows they touch, but for these', () => {
    expect(lookupsIn(record.queries, accountsSchema.tables)).toEqual(
      [
        // Of a request, which has a secret, an e-mail or a subject of an issuer alone.
        'account by id, token_hash, kind',
        'api_key by key_hash, expires_at, expires_at',
        'challenge by hash, expires_at',
        'challenge by hash, expires_at, tries',
        'pending_sign_in by token_hash, audience, expires_at',
        'pending_sign_in by token_hash, expires_at',
        'trusted_identity by hash',
        'email_link by email_key, kind, is_undoable, expires_at',
        'email_link by token_hash, kind, expires_at, disabled_at',
        // Of a command, which has an e-mail alone.
        'email_link by email_key, kind',
        // Of a job.
        'api_key by account_id, expires_at, id, expires_at',
        'email_link by account_id, expires_at, id, expires_at',
        'known_device by account_id, last_sign_in_at, hash, last_sign_in_at, last_sign_in_at',
        'session by account_id, expires_at, id, expires_at',
      ].toSorted(),
    );
  });

  it('are reported if they do, and if they are not executed', async () => {
    const unindexed = store.db.selectFrom('account').select('id').where('firstName', '=', 'Ada');
    await unindexed.execute();

    expect(await record.fullScans(store.db)).toContainEqual(expect.stringContaining('"first_name"'));
    expect(record.unexecuted('libs/service/src')).toHaveProperty([
      'libs/service/src/idempotency/stored-responses.store.ts',
    ]);
  });
});

/** Statements for the other database kind. */
const onSqliteOnly = { 'libs/accounts/src/revocation/revocations.ts': 1 };
const onPostgresOnly = { 'libs/accounts/src/revocation/revocations.ts': 1 };

async function useProfiles(db: Database, accountId: number): Promise<void> {
  const shape = new ProfileShape(SampleProfile, accountTable);
  const profiles = new Profiles(db, new AuditLog(db, 'api'), shape, new DatabaseSchemas([profileSchema]));
  await profiles.insert(accountId, { username: 'ada' }, db);
  await profiles.change(accountId, { username: 'countess' }, {}, db);
  for (const ids of [[accountId], [accountId, accountId + 1]]) await profiles.read(ids);
}

async function useAccounts(db: Database): Promise<number> {
  const accounts = new AccountsStore(db);
  const { id } = await accounts.insert({ email: 'ada@example.com', passwordHash: 'a hash' });
  await accounts.findById(id);
  await accounts.findUser(id);
  await accounts.findByEmail('ada@example.com');
  await accounts.stateOf(id);
  for (const slice of [first, next])
    for (const email of [undefined, 'ada@example.com']) await accounts.list(slice, { email });
  await accounts.update(id, { role: 'user' });
  await accounts.recordSignIn({ id, tokenGeneration: 0, ip: '192.0.2.1', passwordHash: null }, db);
  await accounts.incrementTokenGeneration(id, undefined, db);
  await accounts.setResetToken(id, 'a hash', now, db);
  await accounts.findByResetToken('a hash');
  await accounts.hasAdministrator();
  await accounts.lock(id, db);
  await accounts.lockByEmail('ada@example.com', db);
  await accounts.lockByResetToken('a hash', db);
  await accounts.lockAdministrators(db);
  return id;
}

async function useTrustedIdentities(db: Database): Promise<void> {
  const identities = new TrustedIdentitiesStore(
    db,
    new AccountsStore(db),
    new AuditLog(db, 'api'),
    testOptions(),
  );
  const ada = { issuer: 'https://id.example.com', subject: 'ada' };
  const linked = await identities.accountOf(ada);
  expect(await identities.accountOf(ada)).toEqual(linked);
  const { accountId: created = 0, identity = '' } = linked ?? {};
  expect(await identities.linkedTo(created)).toEqual(new Map([[identity, null]]));
  expect(await identities.list(created)).toMatchObject([{ issuer: ada.issuer }]);
  const issued = { ...ada, identity, iat: 1, earliestMs: 1000, givesRole: false };
  await checkStillSignedIn({ userId: created, jti: 'a token', issued }, db);
  for (const issuer of [ada.issuer, undefined]) await identities.remove(created, issuer, db);
}

async function useEmailLinks(db: Database, accountId: number): Promise<void> {
  const links = new EmailLinksStore(db);
  const expiresAt = new Date(now.getTime() + 60_000);
  const link = { accountId, email: 'ada@example.org', tokenHash: 'a hash', expiresAt, isUndoable: true };
  await links.insert({ ...link, kind: 'undo' }, db);
  const undo = await links.lock('undo', 'a hash', db);
  await links.findPending(accountId, db);
  for (const slice of [first, next]) await links.list(accountId, slice);
  await checkUnreserved({ id: accountId, email: 'ada@example.org' }, db);
  await links.removeReservations('bob@example.org', db);
  await links.formerEmails(accountId, db);
  await links.removePending(accountId, db);
  if (undo) await links.removeUndoFrom(undo, db);
  await links.removeAllOf(accountId, db);
  await links.deleteExpired(now, 10);
}

async function usePendingSignIns(db: Database, accountId: number): Promise<void> {
  const factors = new SignInFactors([], db);
  const signIns = new SignInAccounts(db, factors);
  const account = await new AccountsStore(db).findById(accountId);
  if (account === undefined) throw new Error('there is no account');
  const pending = new PendingSignIns(db, signIns, 'api');
  const token = await pending.add({ account, factors: [{ kind: 'password', amr: ['pwd'], at: now }] }, db);
  const signIn = await pending.find(token, '192.0.2.1');
  await signIn?.state?.use?.(db);
  await signIns.findByEmail('ada@example.com', ['a subject', 'another']);
  await factors.enrolledOf(accountId);
  await pending.deleteExpired(now, 10);
  const challenges = new Challenges(db, 'a way', 'api');
  await challenges.add({ token: 'a token', accountId, challengeState: '', lifetimeMs: 60_000 });
  await challenges.countTry('a token', 1);
  await challenges.use('a token');
  await deleteExpiredChallenges(db, now, 10);
}

async function useSessions(db: Database, accountId: number): Promise<void> {
  const sessions = new SessionsStore(db);
  const times = { createdAt: now, lastUsedAt: now, expiresAt: new Date(now.getTime() + 60_000) };
  const stores = {
    accountId,
    sid: 'a sid',
    tagKey: 'a key',
    ip: '192.0.2.1',
    audience: null,
    device: null,
    amr: 'pwd',
    authenticatedAt: null,
    ...times,
  };
  const { id } = await sessions.insert(stores, db);
  const key = { accountId, id };
  await sessions.lock(key, db);
  await sessions.find(key);
  for (const slice of [first, next]) await sessions.list(accountId, slice);
  await sessions.findByUse(accountId, 0, db);
  await sessions.insertToken('a hash', key, db);
  await sessions.findToken({ accountId, hash: 'a hash' });
  await sessions.markRotated({ accountId, hash: 'a hash' }, now, 'a salt', db);
  await sessions.deleteRotated(key, db);
  await sessions.extend(key, { ...times, turnsEventId: null, refreshes: 1, refreshesFromAt: now }, db);
  await sessions.setRefreshCount(key, { refreshes: 1, refreshesFromAt: now }, db);
  await sessions.remove(key, db);
  await sessions.removeBySid(accountId, 'a sid', db);
  for (const kept of ['a sid', undefined]) await sessions.removeAllOf(accountId, kept, db);
  await sessions.deleteExpired(now, 10);
}

async function useKeys(db: Database, accountId: number): Promise<void> {
  const keys = new ApiKeys(db, new AuditLog(db, 'api'));
  // Its tokens were revoked once.
  const { row, key } = await keys.create({ userId: accountId, sid: makeSid(1) }, { name: 'a key' });
  await keys.create({ userId: accountId, keyId: row.id }, { name: 'of a key' });
  await keys.find(accountId, row.id);
  await keys.callerOf(key);
  for (const slice of [first, next]) await keys.list(accountId, slice);
  await keys.countActive(accountId);
  await keys.revoke(accountId, row.id);
  await keys.removeAllOf(accountId, db);
  await keys.deleteExpired(now, 10);
}

async function useAudit(db: Database, accountId: number): Promise<void> {
  const audit = new AuditLog(db, 'api');
  const refreshed = { kind: 'session-refreshed', accountId, ip: '192.0.2.1' } as const;
  const id = await audit.recordRepeated(refreshed, null, db);
  await audit.recordRepeated(refreshed, id, db);
  for (const slice of [first, next])
    for (const filter of [{}, { accountId }, { kind: refreshed.kind }, { accountId, kind: refreshed.kind }])
      await audit.list(slice, filter);
  await audit.record({ kind: 'sign-in', accountId });
  await audit.recordAll(
    [
      { kind: 'sign-in', accountId },
      { kind: 'session-created', accountId },
    ],
    db,
  );
  const chain = new AuditChain(db);
  await chain.sealNext(10);
  const check = new ChainCheck(db, chain, 0);
  await check.check();
  await db.updateTable('auditEvent').set({ detail: '[]' }).where('accountId', '=', accountId).execute();
  expect(await check.check()).toMatchObject({ isIntact: false });
  for await (const chunk of exportAudit(db, { from: now })) expect(chunk).toContain('"kind":"sign-in"');
  await chain.pruneOlder(new Date(now.getTime() + 86_400_000), 10);
  await check.check();
}

async function useSignInRecords(db: Database, accountId: number): Promise<void> {
  const attempts = new AttemptsStore(db);
  await attempts.increment('a subject', policy);
  await attempts.read(['a subject', 'another']);
  await attempts.remove(['a subject', 'another'], db);
  await attempts.deleteOlder(now, 10);
  const knownDevices = new KnownDevices(db, new AccountsStore(db), testOptions());
  const place = { ip: '192.0.2.1', device: 'curl' };
  await knownDevices.record(accountId, place, db);
  await knownDevices.hasAddress('ada@example.com', '192.0.2.1');
  await knownDevices.deleteOlder(now, 10);
  await forgetDevices(accountId, db);
}

async function useRevocations(db: Database): Promise<void> {
  const revocations = new Revocations(db);
  const feed = new RevocationFeed(db, new RevocationCache(async () => undefined, { ttlSeconds: 60 }));
  for (const sid of ['a sid', 'another sid']) {
    await revocations.inTransaction(async (_, revoke) => revoke('session', sid));
    await feed.read();
  }
  await revocations.deleteOlder(now, 10);
}
