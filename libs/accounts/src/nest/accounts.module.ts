import { availableParallelism } from 'node:os';
import { AccessTokens, apiKeyStrategy, AuthModule, bearerStrategy, Passwords, refuseWith } from '@app/auth';
import { Database, StoreUnavailableError } from '@app/persistence';
import { type DynamicModule, Module, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import { Accounts } from '../accounts';
import { AccountsStore } from '../accounts.store';
import { Administration } from '../administration';
import { ApiKeys } from '../api-keys';
import { accountPolicy, addressPolicy } from '../attempt-policy';
import { AttemptsStore } from '../attempts.store';
import { AuditLog } from '../audit-log';
import { CredentialCheck } from '../credential-check';
import { AccountDisabledError, RevocationsUnknownError } from '../errors';
import { FirstAdministrator } from '../first-administrator';
import type { AccountsOptions } from '../options';
import { RevocationFeed } from '../revocation/revocation-feed';
import { RevocationView } from '../revocation/revocation-view';
import { Revocations } from '../revocation/revocations';
import { RevocationsStore } from '../revocation/revocations.store';
import { Standings } from '../revocation/standings';
import { Sessions } from '../sessions/sessions';
import { SessionsStore } from '../sessions/sessions.store';
import { SignInLimits } from '../sign-in-limits';
import { Housekeeping, type Sweep } from './housekeeping';
import { SessionsController } from './sessions.controller';
import { SignInController } from './sign-in.controller';

/** Accounts and the door they open: sign-in, and the guard that asks who is calling. */
@Module({})
export class AccountsModule {
  static forRoot(options: AccountsOptions): DynamicModule {
    const stores = storesModule(options);
    const guard = AuthModule.forRootAsync({
      imports: [stores],
      inject: [AccessTokens, Accounts, ApiKeys],
      useFactory: (tokens: AccessTokens, accounts: Accounts, keys: ApiKeys) => ({
        strategies: [
          bearerStrategy({ name: 'jwt', tokens, check: (claims) => accounts.whoIs(claims) }),
          apiKeyStrategy({ name: 'api-key', check: (key, { ip }) => keys.whoIs(key, ip) }),
        ],
        refusals: [
          refuseWith(AccountDisabledError),
          refuseWith(RevocationsUnknownError),
          refuseWith(StoreUnavailableError),
        ],
      }),
    });
    return {
      module: AccountsModule,
      imports: [stores, guard],
      controllers: [SignInController, SessionsController],
      providers: [
        {
          provide: Housekeeping,
          inject: [AuditLog, AttemptsStore, RevocationsStore, SessionsStore],
          useFactory: (
            audit: AuditLog,
            attempts: AttemptsStore,
            revocations: RevocationsStore,
            sessions: SessionsStore,
          ) =>
            new Housekeeping([
              ...sweepsOf(audit, attempts, options),
              ...sessionSweeps(revocations, sessions, options),
            ]),
        },
      ],
      exports: [stores],
    };
  }
}

/** How long a sign-in may wait for its hash before it is refused: the caller knows within a second (P15). */
const patienceMs = 800;

/** Two cores have one to spare for a hash: with two under way, all other requests wait for a core. */
const hashesAtOnce = availableParallelism() > 2 ? 2 : 1;

function sweepsOf(
  audit: AuditLog,
  attempts: AttemptsStore,
  { auditSeconds, signIn }: AccountsOptions,
): Sweep[] {
  const attemptsMs = Math.max(accountPolicy(signIn).forgetAfter, addressPolicy(signIn).forgetAfter);
  return [
    { keepMs: auditSeconds * 1000, forget: (before, limit) => audit.forget(before, limit) },
    { keepMs: attemptsMs, forget: (before, limit) => attempts.forgetOlder(before, limit) },
  ];
}

/** An hour more than a token lives: a clock may have been set forward by as much, and back again. */
function sessionSweeps(
  revocations: RevocationsStore,
  sessions: SessionsStore,
  { tokens }: AccountsOptions,
): Sweep[] {
  const keepMs = (tokens.ttlSeconds + 3600) * 1000;
  return [
    { keepMs, forget: (before, limit) => revocations.forgetOlder(before, limit) },
    { keepMs, forget: (before, limit) => sessions.forgetExpired(before, limit) },
  ];
}

@Module({})
class AccountStores implements OnApplicationShutdown {
  constructor(private readonly feed: RevocationFeed) {}

  async onApplicationShutdown(): Promise<void> {
    await this.feed.stop();
  }
}

function storesModule(options: AccountsOptions): DynamicModule {
  return {
    module: AccountStores,
    providers: [
      // After the store, which makes the folder in which a secret may be kept and knows best why it cannot.
      { provide: AccessTokens, inject: [Database], useFactory: () => new AccessTokens(options.tokens()) },
      {
        provide: Passwords,
        useFactory: () => new Passwords({ deadlineMs: patienceMs, concurrency: hashesAtOnce }),
      },
      { provide: AuditLog, inject: [Database], useFactory: (db: Database) => new AuditLog(db) },
      { provide: AccountsStore, inject: [Database], useFactory: (db: Database) => new AccountsStore(db) },
      {
        provide: ApiKeys,
        inject: [Database, AuditLog],
        useFactory: (db: Database, audit: AuditLog) => new ApiKeys(db, audit),
      },
      { provide: AttemptsStore, inject: [Database], useFactory: (db: Database) => new AttemptsStore(db) },
      {
        provide: SignInLimits,
        inject: [AttemptsStore, AuditLog],
        useFactory: (attempts: AttemptsStore, audit: AuditLog) =>
          new SignInLimits(attempts, audit, options.signIn),
      },
      ...revocationProviders(options.tokens.ttlSeconds),
      { provide: SessionsStore, inject: [Database], useFactory: (db: Database) => new SessionsStore(db) },
      {
        provide: Sessions,
        inject: [SessionsStore, AccountsStore, Revocations, CredentialCheck, AuditLog],
        useFactory: (
          store: SessionsStore,
          accounts: AccountsStore,
          revocations: Revocations,
          credentials: CredentialCheck,
          audit: AuditLog,
        ) => new Sessions(store, accounts, revocations, credentials, tokens, audit, options.sessionSeconds),
      },
      {
        provide: CredentialCheck,
        inject: [Database, AccountsStore, Passwords, SignInLimits, AuditLog],
        useFactory: (...parts: ConstructorParameters<typeof CredentialCheck>) =>
          new CredentialCheck(...parts),
      },
      {
        provide: Accounts,
        inject: [
          AccountsStore,
          Passwords,
          AccessTokens,
          CredentialCheck,
          SessionsStore,
          Revocations,
          RevocationView,
          Standings,
          AuditLog,
        ],
        useFactory: (...parts: ConstructorParameters<typeof Accounts>) => new Accounts(...parts),
      },
      {
        provide: Administration,
        inject: [Revocations, AccountsStore, SessionsStore, AuditLog],
        useFactory: (...parts: ConstructorParameters<typeof Administration>) => new Administration(...parts),
      },
      {
        provide: FirstAdministrator,
        inject: [Database, AccountsStore, Passwords],
        useFactory: async (db: Database, store: AccountsStore, passwords: Passwords) => {
          const first = new FirstAdministrator(db, store, passwords, options.firstAdministrator);
          await first.prepare();
          return first;
        },
      },
    ],
    exports: [
      AccessTokens,
      Passwords,
      AuditLog,
      ApiKeys,
      AttemptsStore,
      SignInLimits,
      RevocationsStore,
      RevocationFeed,
      SessionsStore,
      Sessions,
      CredentialCheck,
      AccountsStore,
      Accounts,
      Administration,
      FirstAdministrator,
    ],
  };
}

function revocationProviders(ttlSeconds: number): Provider[] {
  return [
    {
      provide: Standings,
      inject: [AccountsStore],
      useFactory: (store: AccountsStore) => new Standings((id) => store.standingOf(id)),
    },
    {
      provide: RevocationView,
      inject: [Standings],
      useFactory: (standings: Standings) => new RevocationView(standings, ttlSeconds),
    },
    {
      provide: RevocationsStore,
      inject: [Database],
      useFactory: (db: Database) => new RevocationsStore(db),
    },
    {
      provide: Revocations,
      inject: [Database, RevocationsStore, RevocationView],
      useFactory: (...parts: ConstructorParameters<typeof Revocations>) => new Revocations(...parts),
    },
    {
      provide: RevocationFeed,
      inject: [Database, RevocationView, Standings],
      useFactory: async (db: Database, view: RevocationView, standings: Standings) => {
        const feed = new RevocationFeed(db, view, standings);
        await feed.start();
        return feed;
      },
    },
  ];
}
