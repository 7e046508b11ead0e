import { AccessTokens, deriveKeys, type PasswordHasher, Passwords } from '@app/auth';
import type { Outbox } from '@app/mail';
import type { Database } from '@app/persistence';
import { AccessCheck } from '../src/access-check';
import { Accounts } from '../src/accounts';
import { AccountsStore } from '../src/accounts.store';
import { Administration } from '../src/administration';
import { ApiKeys } from '../src/api-keys';
import { AttemptsStore } from '../src/attempts.store';
import { AuditLog } from '../src/audit-log';
import { CredentialCheck } from '../src/credential-check';
import { FamiliarAddresses } from '../src/familiar-addresses';
import { NewDevices } from '../src/new-devices';
import { accountMails } from '../src/mails/account-mails';
import { AccessEnd } from '../src/password-reset/access-end';
import { PasswordResets } from '../src/password-reset/password-resets';
import { ResetCompletion } from '../src/password-reset/reset-completion';
import { ResetMails } from '../src/password-reset/reset-mails';
import { RevocationView } from '../src/revocation/revocation-view';
import { Revocations } from '../src/revocation/revocations';
import { RevocationsStore } from '../src/revocation/revocations.store';
import { AccountStateCache } from '../src/revocation/account-state-cache';
import { RefreshLimit } from '../src/sessions/refresh-limit';
import { SessionSignIn } from '../src/sessions/session-sign-in';
import { SessionTokenIssuer } from '../src/sessions/session-token-issuer';
import { Sessions } from '../src/sessions/sessions';
import { SessionsStore } from '../src/sessions/sessions.store';
import { StoreClock } from '../src/sessions/store-clock';
import { SignIn } from '../src/sign-in';
import { SignInLimits } from '../src/sign-in-limits';
import { SignInFactors } from '../src/sign-in-proofs';
import { SignInRecord } from '../src/sign-in-record';
import { SignInSequence } from '../src/sign-in-sequence';
import { HourlyLimit } from '../src/hourly-limit';
import { SignUp } from '../src/sign-up';
import { SignUpLimit } from '../src/sign-up-limit';
import { makeChanges } from './email-services';
import type { FakeTime } from './fake-time';

/** Lifetimes of tokens. */
export const ttlSeconds = { access: 60, session: 6 * 3600, total: 20 * 3600 };

/** The services of one process, with its own handle and caches. */
export interface Instance {
  readonly signUp: SignUp;
  readonly accounts: Accounts;
  readonly access: AccessCheck;
  readonly signIn: SignIn;
  readonly sessionSignIn: SessionSignIn;
  readonly administration: Administration;
  readonly sessions: Sessions;
  readonly accountsStore: AccountsStore;
  readonly sessionsStore: SessionsStore;
  readonly keys: ApiKeys;
  readonly resets: PasswordResets;
  readonly resetCompletion: ResetCompletion;
  /** The mails of all instances. */
  readonly outbox: Outbox;
  readonly tokens: AccessTokens;
  readonly clock: StoreClock;
  readonly sequence: SignInSequence;
  /** The password hasher, which a test can intercept. */
  readonly hasher: PasswordHasher;
  /** Applies the revocations of other instances. */
  syncRevocations(): Promise<void>;
}

/** Creates the services as {@link accountsProviders} does, with fake clocks and fast hashes. */
export function makeInstance(db: Database, time: FakeTime, { refreshesPerHour = 1_000_000 } = {}): Instance {
  const monotonic = () => time.monotonic;
  const audit = new AuditLog(db, 'api');
  const store = new AccountsStore(db);
  const log = new RevocationsStore(db);
  const sessionsStore = new SessionsStore(db);
  const accountStates = new AccountStateCache((id) => store.stateOf(id));
  const view = new RevocationView(accountStates, ttlSeconds.access, monotonic);
  const revocations = new Revocations(db, log, view);
  const hasher = { ...fastHasher };
  const passwords = new Passwords({ hasher, concurrency: 8 });
  const secret = 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG';
  const tokens = new AccessTokens({
    secret,
    ttlSeconds: ttlSeconds.access,
    monotonicClock: { name: 'the machine', seconds: () => time.monotonic / 1000 },
  });
  const familiar = new FamiliarAddresses(db, store, deriveKeys({ secret }, 'familiar addresses'));
  const limits = new SignInLimits(new AttemptsStore(db), audit, familiar, lenientRules);
  const clock = new StoreClock({ wall: async () => time.wall, monotonic });
  const refreshLimit = new RefreshLimit(refreshesPerHour);
  const issuer = new SessionTokenIssuer(sessionsStore, tokens, audit, clock, refreshLimit, {
    idleSeconds: ttlSeconds.session,
    totalSeconds: ttlSeconds.total,
  });
  const keys = new ApiKeys(db, audit);
  const changes = makeChanges({ db, secret, store, sessions: sessionsStore, keys, audit });
  const check = new CredentialCheck(store, passwords, limits, new SignInFactors(), audit);
  const devices = new NewDevices(familiar, undefined);
  const sequence = new SignInSequence(
    check,
    new SignInRecord(db, store, familiar, devices, changes.notices, audit),
  );
  const noLimit = new HourlyLimit(new AttemptsStore(db), 1_000_000);
  const signUpLimit = new SignUpLimit(noLimit);
  const resetMails = new ResetMails(changes.outbox, accountMails, 'http://localhost');
  const accessEnd = new AccessEnd(store, sessionsStore, keys, limits, audit);
  let lastId = 0;
  return {
    signUp: new SignUp(db, store, passwords, signUpLimit, changes.verification, audit),
    accounts: new Accounts(store, passwords, changes.passwordChange, changes.emailChange, revocations),
    access: new AccessCheck(view, accountStates, false),
    signIn: new SignIn(sequence, tokens),
    sessionSignIn: new SessionSignIn(sequence, store, sessionsStore, revocations, issuer),
    administration: new Administration(
      revocations,
      store,
      sessionsStore,
      keys,
      audit,
      changes.outbox,
      changes.links,
    ),
    sessions: new Sessions(sessionsStore, store, revocations, audit, keys),
    accountsStore: store,
    sessionsStore,
    keys,
    resets: new PasswordResets(db, store, resetMails, audit, { perAddress: noLimit, perAccount: noLimit }),
    resetCompletion: new ResetCompletion(store, passwords, revocations, accessEnd, resetMails),
    outbox: changes.outbox,
    tokens,
    clock,
    sequence,
    hasher,
    async syncRevocations() {
      let rows = await log.readSince({ after: lastId });
      // A page at a time: a long run has more.
      while (rows.length > 0) {
        view.apply(rows);
        lastId = rows.at(-1)?.id ?? lastId;
        rows = await log.readSince({ after: lastId });
      }
      view.markCurrent(time.monotonic);
    },
  };
}

/** Has the format of Argon2id, without its cost. */
const fastHasher: PasswordHasher = {
  hash: async (password: string) => `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${base64(password)}`,
  verify: async (encoded: string, password: string) => encoded.endsWith(`$${base64(password)}`),
};

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}

const lenientRules = {
  accountFailures: 1_000_000,
  accountFailuresOverall: 1_000_000,
  firstLockSeconds: 1,
  longestLockSeconds: 1,
  addressFailures: 1_000_000,
  addressWindowSeconds: 1,
};
