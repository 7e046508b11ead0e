import {
  AccessTokens,
  apiKeyStrategy,
  AuthModule,
  bearerStrategy,
  replyWith,
  type Strategy,
  TokenKeyFile,
  TwoFactorsRequiredError,
  wideScopes,
} from '@app/auth';
import { inSection } from '@app/contract';
import { StoreUnavailableError } from '@app/persistence';
import {
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
  Module,
  type ModuleMetadata,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
  type OptionalFactoryDependency,
  type Provider,
  type Type,
} from '@nestjs/common';
import { accountTable } from './account/account.table';
import { AccessCheck } from './access/access-check';
import type { InputClass } from '@app/engine';
import { AccountRoles } from './account/account-roles';
import { type UserClasses, userClasses } from './account/user-classes';
import { RefusedAccessLog } from './audit/refused-access';
import { ApiKeys } from './api-keys/api-keys';
import { AccountDisabledError, RevocationsUnavailableError, TrustedIssuerUnavailableError } from './errors';
import { type AccountMails, accountMails } from './mails/account-mails';
import type { AccountsOptions } from './options';
import { ProfileShape } from './profiles/profile-shape';
import { FirstAdministrator } from './operator/first-administrator';
import { Profiles } from './profiles/profiles';
import { RevocationFeed } from './revocation/revocation-feed';
import { accountsProviders, type UserParts } from './accounts.providers';
import { from } from './provide.providers';
import { housekeepingProvider } from './housekeeping/housekeeping.providers';
import { EmailVerificationsController } from './emails/email-verifications.controller';
import { IssuerMetadata } from './keys/issuer-metadata';
import { IssuerMetadataController } from './keys/issuer-metadata.controller';
import { PublicKeysController } from './keys/public-keys.controller';
import { TrustedIdentitiesStore } from './trusted-issuers/trusted-identities.store';
import { strategiesWithIssuers } from './trusted-issuers/trusted-issuers.providers';
import { MailPagesController } from './links/mail-pages.controller';
import { PasswordResetsController } from './passwords/password-resets.controller';
import { SessionsController } from './sessions/sessions.controller';
import { ProfileController } from './access/profile.controller';
import { FactorsController } from './enrolments/factors.controller';
import { PasswordChangesController } from './users/password-changes.controller';
import { userControllers } from './users/users.controller';
import type { SignInWay } from './ways/way.providers';
import { wayParts } from './ways/ways.providers';

/** Makes further strategies from providers; the providers of accounts can be injected without an import. */
export interface StrategiesFactory {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  // The arguments are those that `inject` names, which a type cannot express.
  readonly useFactory: (...injected: never[]) => readonly Strategy[] | Promise<readonly Strategy[]>;
}

/** Options of `AccountsModule.forRoot()`. */
export interface AccountsModuleOptions extends AccountsOptions {
  /** Strategies of the application, beside `jwt` (the default) and `api-key`. */
  readonly strategies?: StrategiesFactory;
  /** Ways to sign in besides those of this library. */
  readonly ways?: readonly SignInWay[];
  /** Further providers, which factors and strategies of the application inject. */
  readonly providers?: readonly Provider[];
  /** Scopes of API keys, besides `read` and `write`, which include them: `items:read`. */
  readonly scopes?: readonly string[];
  /** The names of all roles of the application, `user` of new accounts and `admin` among them; default these two. */
  readonly roles?: readonly string[];
  /** What users have in addition, in the table `profile` of the application: a class with rules and `@Expose()`; default nothing. */
  readonly profile?: InputClass;
  /**
   * Makes the controllers of users from what the application accepts and sends of them; default `userControllers`.
   * `operatorControllers` are those of a program for operators, `() => []` leaves them out.
   */
  readonly controllers?: (classes: UserClasses) => readonly Type[];
  /** Texts of mails, in place of the default ones. */
  readonly mails?: Partial<AccountMails>;
}

/** Accounts, their sign-in routes, and the global guard. */
@Module({})
export class AccountsModule {
  /**
   * @param options of `accountsOptions()`, with what the application adds
   * @throws TypeError for roles or a profile that cannot be
   */
  static forRoot({
    strategies,
    mails,
    scopes = [],
    ways,
    providers: further = [],
    controllers: controllersOf = userControllers,
    roles: roleNames,
    profile: Profile,
    ...options
  }: AccountsModuleOptions): DynamicModule {
    const roles = new AccountRoles(roleNames);
    const profile = Profile && new ProfileShape(Profile, accountTable);
    const { controllers, providers } = wayParts(options, ways);
    const core = coreModule(options, { ...accountMails, ...mails }, { roles, profile }, [
      ...providers,
      ...further,
    ]);
    return {
      module: AccountsModule,
      imports: [core, guardModule(core, roles, options, strategies, scopes)],
      controllers: inSection('accounts', [
        ProfileController,
        FactorsController,
        ...controllers,
        SessionsController,
        PasswordChangesController,
        PasswordResetsController,
        ...(options.servesPages ? [MailPagesController] : []),
        EmailVerificationsController,
        PublicKeysController,
        IssuerMetadataController,
        ...controllersOf(userClasses(roles, [...wideScopes, ...scopes], profile)),
      ]),
      providers: [housekeepingProvider(options), metadataProvider(options, scopes)],
      exports: [core],
    };
  }
}

function metadataProvider(
  { apiUrl, trustedIssuers = [] }: AccountsOptions,
  scopes: readonly string[] = [],
): FactoryProvider {
  const issuers = trustedIssuers.map(({ issuer }) => issuer);
  return from(
    IssuerMetadata,
    [],
    () => new IssuerMetadata({ apiUrl, scopes: [...wideScopes, ...scopes], trustedIssuers: issuers }),
  );
}

@Module({})
class AccountsCoreModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly feed: RevocationFeed,
    private readonly refused: RefusedAccessLog,
    private readonly keyFile: TokenKeyFile,
    private readonly profiles: Profiles,
    private readonly firstAdministrator: FirstAdministrator,
  ) {}

  /** After the database is migrated. */
  async onModuleInit(): Promise<void> {
    await this.profiles.check();
    await this.feed.start();
    await this.firstAdministrator.prepare();
  }

  /** Before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await this.refused.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.keyFile.stop();
    await this.feed.stop();
  }
}

function coreModule(
  options: AccountsOptions,
  mails: AccountMails,
  users: UserParts,
  ways: readonly Provider[],
): DynamicModule {
  const providers = [...accountsProviders(options, mails, users), ...ways];
  return {
    module: AccountsCoreModule,
    providers,
    exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
  };
}

function guardModule(
  core: DynamicModule,
  { names: roles }: AccountRoles,
  { trustedIssuers = [], introspection }: Pick<AccountsOptions, 'trustedIssuers' | 'introspection'>,
  { imports = [], inject = [], useFactory }: StrategiesFactory = { useFactory: () => [] },
  scopes: readonly string[] = [],
): DynamicModule {
  return AuthModule.forRootAsync({
    imports: [core, ...imports],
    inject: [AccessTokens, AccessCheck, ApiKeys, TrustedIdentitiesStore, RefusedAccessLog, ...inject],
    useFactory: async (
      tokens: AccessTokens,
      access: AccessCheck,
      keys: ApiKeys,
      identities: TrustedIdentitiesStore,
      refused: RefusedAccessLog,
      ...injected: never[]
    ) => ({
      strategies: [
        ...strategiesWithIssuers(
          bearerStrategy({ name: 'jwt', tokens, check: (claims) => access.callerOf(claims) }),
          trustedIssuers,
          { access, identities, roles, introspection },
        ),
        apiKeyStrategy({ name: 'api-key', hasScopes: true, check: (key, { ip }) => keys.callerOf(key, ip) }),
        ...(await useFactory(...injected)),
      ],
      roles,
      scopes,
      checkErrors: [
        replyWith(AccountDisabledError),
        replyWith(TwoFactorsRequiredError),
        replyWith(RevocationsUnavailableError),
        replyWith(TrustedIssuerUnavailableError),
        replyWith(StoreUnavailableError),
      ],
      onRefused: (event) => refused.record(event),
    }),
  });
}
