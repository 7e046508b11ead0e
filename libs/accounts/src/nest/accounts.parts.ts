import { availableParallelism } from 'node:os';
import { AccessTokens, Passwords } from '@app/auth';
import { Database } from '@app/persistence';
import type { FactoryProvider, Type } from '@nestjs/common';
import { Accounts } from '../accounts';
import { AccountsStore } from '../accounts.store';
import { Administration } from '../administration';
import { ApiKeys } from '../api-keys';
import { AttemptsStore } from '../attempts.store';
import { AuditLog } from '../audit-log';
import { CredentialCheck } from '../credential-check';
import { FirstAdministrator } from '../first-administrator';
import type { AccountsOptions } from '../options';
import { RevocationFeed } from '../revocation/revocation-feed';
import { RevocationView } from '../revocation/revocation-view';
import { Revocations } from '../revocation/revocations';
import { RevocationsStore } from '../revocation/revocations.store';
import { AccountStateCache } from '../revocation/account-state-cache';
import { Sessions } from '../sessions/sessions';
import { SessionsStore } from '../sessions/sessions.store';
import { clockSources, StoreClock } from '../sessions/store-clock';
import { SignInLimits } from '../sign-in-limits';

/** How long a sign-in may wait for its hash before it is refused: the caller knows within a second (P15). */
const patienceMs = 800;

/** Two cores have one to spare for a hash: with two under way, all other requests wait for a core. */
const hashesAtOnce = availableParallelism() > 2 ? 2 : 1;

/** What accounts are made of, each from the others and from the {@link Database}. */
export function accountsParts(options: AccountsOptions): FactoryProvider[] {
  return [
    // After the store, which makes the folder in which a secret may be kept and knows best why it cannot.
    from(AccessTokens, [Database], () => new AccessTokens(options.tokens())),
    from(Passwords, [], () => new Passwords({ deadlineMs: patienceMs, concurrency: hashesAtOnce })),
    from(AuditLog, [Database], (db) => new AuditLog(db)),
    from(AccountsStore, [Database], (db) => new AccountsStore(db)),
    from(AttemptsStore, [Database], (db) => new AttemptsStore(db)),
    from(ApiKeys, [Database, AuditLog], (...parts) => new ApiKeys(...parts)),
    from(SignInLimits, [AttemptsStore, AuditLog], (...parts) => new SignInLimits(...parts, options.signIn)),
    from(
      CredentialCheck,
      [Database, AccountsStore, Passwords, SignInLimits, AuditLog],
      (...parts) => new CredentialCheck(...parts),
    ),
    ...revocationParts(),
    from(SessionsStore, [Database], (db) => new SessionsStore(db)),
    from(StoreClock, [Database], (db) => new StoreClock(clockSources(db))),
    from(
      Sessions,
      [SessionsStore, AccountsStore, Revocations, CredentialCheck, AccessTokens, AuditLog, StoreClock],
      (...parts) => new Sessions(...parts, options.sessionSeconds),
    ),
    from(
      Accounts,
      [
        AccountsStore,
        Passwords,
        AccessTokens,
        CredentialCheck,
        SessionsStore,
        Revocations,
        RevocationView,
        AccountStateCache,
        AuditLog,
      ],
      (...parts) => new Accounts(...parts),
    ),
    from(
      Administration,
      [Revocations, AccountsStore, SessionsStore, AuditLog],
      (...parts) => new Administration(...parts),
    ),
    from(FirstAdministrator, [Database, AccountsStore, Passwords], async (...parts) => {
      const first = new FirstAdministrator(...parts, options.firstAdministrator);
      await first.prepare();
      return first;
    }),
  ];
}

function revocationParts(): FactoryProvider[] {
  return [
    from(AccountStateCache, [AccountsStore], (store) => new AccountStateCache((id) => store.stateOf(id))),
    from(
      RevocationView,
      [AccountStateCache, AccessTokens],
      (accountStates, { ttlSeconds }) => new RevocationView(accountStates, ttlSeconds),
    ),
    from(RevocationsStore, [Database], (db) => new RevocationsStore(db)),
    from(Revocations, [Database, RevocationsStore, RevocationView], (...parts) => new Revocations(...parts)),
    from(RevocationFeed, [Database, RevocationView, AccountStateCache], async (...parts) => {
      const feed = new RevocationFeed(...parts);
      await feed.start();
      return feed;
    }),
  ];
}

type Instances<Classes extends readonly Type[]> = {
  [Index in keyof Classes]: InstanceType<Classes[Index]>;
};

/** A provider that the compiler follows: what is injected is what `make` takes. */
function from<Made, const Classes extends readonly Type[]>(
  provide: abstract new (...parts: never[]) => Made,
  inject: Classes,
  make: (...parts: Instances<Classes>) => Made | Promise<Made>,
): FactoryProvider {
  return { provide, inject: [...inject], useFactory: make };
}
