import type { Rate } from '@app/settings';
import { AccessTokens, type PasswordHasher, Passwords } from '@app/auth';
import type { Outbox } from '@app/mail';
import { type Database, systemTiming } from '@app/persistence';
import { FirstCredentials } from '../src/administrators/first-credentials';
import { AccessCheck, type SignedInUser } from '../src/access/access-check';
import { Accounts } from '../src/accounts';
import { AccountRoles } from '../src/account/account-roles';
import { SignUpAdmission } from '../src/account/sign-up-admission';
import { AccountsStore } from '../src/account/accounts.store';
import { Administration } from '../src/administrators/administration';
import { ApiKeys } from '../src/api-keys/api-keys';
import { AttemptsStore } from '../src/limits/attempts.store';
import { AuditLog } from '../src/audit/audit-log';
import { KnownDevices } from '../src/devices/known-devices';
import { NewDevices } from '../src/devices/new-devices';
import { AccessRevocation } from '../src/passwords/access-revocation';
import { CurrentPassword } from '../src/passwords/current-password';
import { PasswordResets } from '../src/passwords/password-resets';
import { ResetCompletion } from '../src/passwords/reset-completion';
import { Profiles } from '../src/profiles/profiles';
import { RevocationCache } from '../src/revocation/revocation-cache';
import { RevocationFeed } from '../src/revocation/revocation-feed';
import { Revocations } from '../src/revocation/revocations';
import { SessionSignIn } from '../src/sessions/session-sign-in';
import { SessionTokenIssuer } from '../src/sessions/session-token-issuer';
import { Sessions } from '../src/sessions/sessions';
import { SessionsStore } from '../src/sessions/sessions.store';
import { type TokenPair } from '../src/sessions/session-token-issuer';
import type { EndsAccess } from '../src/factors/enrolments';
import { FactorEnrolments } from '../src/factors/factor-enrolments';
import type { SignInFactor } from '../src/sign-in/sign-in-factor';
import { PasswordFactor } from '../src/password-sign-in/password-factor';
import { Login } from '../src/password-sign-in/login';
import { PasswordCheck } from '../src/password-sign-in/password-check';
import { PendingSignIns } from '../src/sign-in/pending-sign-ins';
import type { MfaToken } from '../src/sessions/session-sign-in';
import type { Client } from '../src/devices/client';
import { SignInAccounts } from '../src/sign-in/sign-in-accounts';
import { SignInLimits } from '../src/sign-in/sign-in-limits';
import { SignInFactors } from '../src/sign-in/sign-in-factors';
import { SignInRecord } from '../src/sign-in/sign-in-record';
import { SignInSequence } from '../src/sign-in/sign-in-sequence';
import { SignUp } from '../src/sign-up';
import { makeChanges } from './email-services';
import type { FakeTime } from './fake-time';
import { secret, testOptions } from './test-options';

/** The token lifetimes, in seconds. */
export const ttlSeconds = { access: 60, session: 6 * 3600, total: 20 * 3600 };

/** The services of a single process, with their own handle and caches. */
export interface Instance {
  readonly signUp: SignUp;
  readonly accounts: Accounts;
  readonly access: AccessCheck;
  readonly signIn: Login;
  /** Opens a session with a password, or begins a sign-in that requires a second factor. */
  beginSession(username: string, password: string, client: Client): Promise<TokenPair | MfaToken | undefined>;
  /** Opens a session with only a password. */
  openSession(username: string, password: string, client: Client): Promise<TokenPair | undefined>;
  readonly sessionSignIn: SessionSignIn;
  readonly enrolments: FactorEnrolments;
  readonly administration: Administration;
  readonly sessions: Sessions;
  readonly accountsStore: AccountsStore;
  readonly sessionsStore: SessionsStore;
  readonly keys: ApiKeys;
  readonly resets: PasswordResets;
  readonly resetCompletion: ResetCompletion;
  /** The outbox with all instances' mails. */
  readonly outbox: Outbox;
  readonly tokens: AccessTokens;
  readonly sequence: SignInSequence;
  /** The password hasher, which a test can intercept. */
  readonly hasher: PasswordHasher;
  /** Applies other instances' revocations. */
  syncRevocations(): Promise<void>;
}

/** An instance's optional parts. */
export interface InstanceParts {
  readonly refreshes?: Rate | false;
  /** The factors besides the password; the program declares them in `declarations`. */
  readonly factors?: readonly SignInFactor[];
  readonly declarations?: readonly EndsAccess[];
}

/** Creates the services as Nest does, with fake clocks and fast hashes. */
export function makeInstance(
  db: Database,
  time: FakeTime,
  { refreshes = false, factors: further = [], declarations = [] }: InstanceParts = {},
): Instance {
  const monotonic = () => time.monotonic;
  const audit = new AuditLog(db, 'api');
  const store = new AccountsStore(db);
  const sessionsStore = new SessionsStore(db);
  const cache = new RevocationCache((id) => store.stateOf(id), {
    ttlSeconds: ttlSeconds.access,
    now: monotonic,
  });
  const revocations = new Revocations(db, cache);
  const hasher = { ...fastHasher };
  const passwords = new Passwords({ hasher, concurrency: 8 });
  const options = testOptions({
    REFRESH_SESSION_LIMIT: refreshes,
    REFRESH_TOKEN_TTL: ttlSeconds.session,
    SESSION_LIFETIME: ttlSeconds.total,
  });
  const attempts = new AttemptsStore(db);
  const tokens = new AccessTokens({ secret, ttlSeconds: ttlSeconds.access });
  const knownDevices = new KnownDevices(db, store, options);
  const limits = new SignInLimits(attempts, audit, knownDevices, options);
  const clock = { wall: async () => time.wall };
  const issuer = new SessionTokenIssuer(sessionsStore, tokens, audit, clock, options);
  const keys = new ApiKeys(db, audit);
  const changes = makeChanges({ db, options, store, sessions: sessionsStore, keys, audit, declarations });
  const factors = new SignInFactors([new PasswordFactor(store), ...further], db);
  const signInAccounts = new SignInAccounts(db, factors);
  const check = new PasswordCheck(signInAccounts, passwords, limits);
  const devices = new NewDevices(knownDevices, attempts, options);
  const record = new SignInRecord(store, factors, devices, changes.mailer, revocations, audit);
  const accessRevocation = new AccessRevocation(
    store,
    sessionsStore,
    keys,
    changes.enrolments,
    limits,
    audit,
    revocations,
    changes.mailer,
  );
  const sequence = new SignInSequence(db, factors, limits, record, accessRevocation);
  const pending = new PendingSignIns(db, signInAccounts, 'api');
  const sessionSignIn = new SessionSignIn(sequence, pending, store, sessionsStore, revocations, issuer);
  const profiles = new Profiles(db, audit);
  const enrolments = new FactorEnrolments(
    db,
    factors,
    store,
    sessionsStore,
    revocations,
    changes.mailer,
    audit,
  );
  const feed = new RevocationFeed(db, cache, {
    timing: { ...systemTiming, monotonic },
    clock: { wall: async () => 0 },
  });
  return {
    signUp: new SignUp(
      db,
      store,
      passwords,
      changes.verification,
      audit,
      profiles,
      new SignUpAdmission(options, attempts),
    ),
    accounts: new Accounts(
      store,
      passwords,
      new CurrentPassword(store, passwords, limits, options),
      changes.passwordChange,
      changes.emailChange,
      revocations,
      profiles,
      new FirstCredentials(options),
    ),
    access: new AccessCheck(cache, new AccountRoles(), options),
    signIn: new Login(check, sequence, tokens),
    sessionSignIn,
    beginSession: (username, password, client) =>
      sessionSignIn.open(() => check.check(username, password, client.ip), client),
    async openSession(username, password, client) {
      const signIn = await this.beginSession(username, password, client);
      return signIn && 'mfaToken' in signIn ? undefined : signIn;
    },
    enrolments,
    administration: new Administration(revocations, store, sessionsStore, keys, audit, changes.outbox),
    sessions: new Sessions(sessionsStore, store, revocations, audit, keys),
    accountsStore: store,
    sessionsStore,
    keys,
    resets: new PasswordResets(db, store, changes.mailer, audit, changes.mailTokens, attempts, options),
    resetCompletion: new ResetCompletion(
      store,
      passwords,
      revocations,
      accessRevocation,
      changes.mailer,
      changes.mailTokens,
    ),
    outbox: changes.outbox,
    tokens,
    sequence,
    hasher,
    syncRevocations: () => feed.read(),
  };
}

/**
 * Returns a token's caller.
 *
 * @throws AccountDisabledError
 */
export async function callerOf(
  { access, tokens }: Instance,
  token: string,
): Promise<SignedInUser | undefined> {
  const claims = tokens.verify(token);
  return claims && access.callerOf(claims);
}

/** A hasher with the Argon2id format, but without its cost. */
const fastHasher: PasswordHasher = {
  hash: async (password: string) => `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${base64(password)}`,
  verify: async (encoded: string, password: string) => encoded.endsWith(`$${base64(password)}`),
};

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}
