import { AccessTokens, type PasswordHasher, Passwords } from '@app/auth';
import type { Database } from '@app/persistence';
import { Accounts } from '../src/accounts';
import { AccountsStore } from '../src/accounts.store';
import { Administration } from '../src/administration';
import { AttemptsStore } from '../src/attempts.store';
import { AuditLog } from '../src/audit-log';
import { CredentialCheck } from '../src/credential-check';
import { RevocationView } from '../src/revocation/revocation-view';
import { Revocations } from '../src/revocation/revocations';
import { RevocationsStore } from '../src/revocation/revocations.store';
import { AccountStateCache } from '../src/revocation/account-state-cache';
import { Sessions } from '../src/sessions/sessions';
import { SessionsStore } from '../src/sessions/sessions.store';
import { StoreClock } from '../src/sessions/store-clock';
import { SignInLimits } from '../src/sign-in-limits';
import type { HeldTime } from './held-time';

/** How long tokens of these programs live. */
export const ttlSeconds = { access: 60, session: 6 * 3600 };

/** What a program does with accounts, on a handle and with a memory of its own. */
export interface ProgramParts {
  readonly accounts: Accounts;
  readonly administration: Administration;
  readonly sessions: Sessions;
  readonly sessionsStore: SessionsStore;
  readonly tokens: AccessTokens;
  readonly clock: StoreClock;
  readonly credentials: CredentialCheck;
  /** What compares passwords; a test can have something happen meanwhile. */
  readonly hasher: PasswordHasher;
  /** Hears what the other programs have ended until now. */
  hear(): Promise<void>;
}

/** Puts a program's parts together as {@link accountsParts} does, with the clocks in hand and with cheap hashes. */
export function programParts(db: Database, time: HeldTime): ProgramParts {
  const counted = () => time.counted;
  const audit = new AuditLog(db);
  const store = new AccountsStore(db);
  const log = new RevocationsStore(db);
  const sessionsStore = new SessionsStore(db);
  const accountStates = new AccountStateCache((id) => store.stateOf(id));
  const view = new RevocationView(accountStates, ttlSeconds.access, counted);
  const revocations = new Revocations(db, log, view);
  const hasher = { ...cheapHasher };
  const passwords = new Passwords({ hasher, concurrency: 8 });
  const tokens = new AccessTokens({
    secret: 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG',
    ttlSeconds: ttlSeconds.access,
    monotonicClock: { name: 'the machine', seconds: () => time.counted / 1000 },
  });
  const limits = new SignInLimits(new AttemptsStore(db), audit, leniently);
  const credentials = new CredentialCheck(db, store, passwords, limits, audit);
  const clock = new StoreClock({ shown: async () => time.shown, counted });
  const accounts = new Accounts(
    store,
    passwords,
    tokens,
    credentials,
    sessionsStore,
    revocations,
    view,
    accountStates,
    audit,
  );
  let lastId = 0;
  return {
    accounts,
    administration: new Administration(revocations, store, sessionsStore, audit),
    sessions: new Sessions(
      sessionsStore,
      store,
      revocations,
      credentials,
      tokens,
      audit,
      clock,
      ttlSeconds.session,
    ),
    sessionsStore,
    tokens,
    clock,
    credentials,
    hasher,
    async hear() {
      const rows = await log.readSince(lastId);
      view.apply(rows);
      view.fed(time.counted);
      lastId = rows.at(-1)?.id ?? lastId;
    },
  };
}

/** Looks like Argon2id and costs nothing: what is tried here is no password hash. */
const cheapHasher: PasswordHasher = {
  hash: async (password: string) => `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${base64(password)}`,
  verify: async (encoded: string, password: string) => encoded.endsWith(`$${base64(password)}`),
};

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replaceAll('=', '');
}

const leniently = {
  accountFailures: 1_000_000,
  firstLockSeconds: 1,
  longestLockSeconds: 1,
  addressFailures: 1_000_000,
  addressWindowSeconds: 1,
};
