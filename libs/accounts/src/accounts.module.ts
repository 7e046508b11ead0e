import {
  AccessTokens,
  apiKeyStrategy,
  AuthModule,
  bearerStrategy,
  type FacetGate,
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
  type InjectionToken,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { AccountHookRunner, type PluginHooks } from './account/account-hooks';
import { accountTable } from './account/account.table';
import { AccessCheck } from './access/access-check';
import type { InputClass } from '@app/engine';
import { AccountRoles } from './account/account-roles';
import { SignUpAdmission, type SignUpInvitations } from './account/sign-up-admission';
import { type UserClasses, userClasses } from './account/user-classes';
import { RefusedAccessLog } from './audit/refused-access';
import { AttemptsStore } from './limits/attempts.store';
import { ApiKeys } from './api-keys/api-keys';
import { AccountDisabledError, RevocationsUnavailableError } from './errors';
import { AccountsOptions, APPLICATION } from './options';
import { ProfileShape } from './profiles/profile-shape';
import { FirstAdministrator } from './administrators/first-administrator';
import { Profiles } from './profiles/profiles';
import { RevocationFeed } from './revocation/revocation-feed';
import { accountsProviders } from './accounts.providers';
import { housekeepingProvider } from './housekeeping.providers';
import { EmailVerificationsController } from './email-addresses/email-verifications.controller';
import { IssuerMetadataController } from './well-known/issuer-metadata.controller';
import { PublicKeysController } from './well-known/public-keys.controller';
import type { TokenIssuers } from './identities/token-issuers';
import { TrustedIdentitiesStore } from './identities/trusted-identities.store';
import { MailPagesController } from './mails/mail-pages.controller';
import { PasswordResetsController } from './passwords/password-resets.controller';
import { SessionsController } from './sessions/sessions.controller';
import { ProfileController } from './access/auth-profile.controller';
import { FactorEnrolments } from './factors/factor-enrolments';
import { FactorsController } from './factors/factors.controller';
import { PasswordChangesController } from './passwords/password-changes.controller';
import { userControllers } from './users.controller';
import type { FactorDeclaration } from './factors/factor-declaration.providers';
import { signInParts } from './sign-in.providers';

/** The options by which an application extends users and their routes. */
export interface AccountsModuleOptions {
  /** The role names, including `user` for new accounts and `admin`; default only these two. */
  readonly roles?: readonly string[];
  /**
   * A class with rules and `@Expose()` for further user fields, which the application's table `profile` stores; default no
   * fields.
   */
  readonly profile?: InputClass;
  /**
   * Makes the user controllers from the application's wire classes; default `userControllers`. Pass `operatorControllers` in a
   * program for operators, or `() => []` to leave them out.
   */
  readonly controllers?: (classes: UserClasses) => readonly Type[];
}

/** The values that the program's other plugins supply. */
export interface AccountsProgram {
  readonly application: string;
  readonly factors: readonly FactorDeclaration[];
  /** The strategies beside `jwt` (the default) and `api-key`. */
  readonly strategies: readonly { readonly provide: InjectionToken<Strategy> }[];
  /** The issuers from the plugin with `issuers`, if a plugin has it. */
  readonly issuers?: TokenIssuers;
  /** The gates for facets that depend on the request. */
  readonly gates: readonly { readonly facet: string; readonly provide: InjectionToken<FacetGate> }[];
  /** The provider tokens for sign-up invitations. */
  readonly invitations: readonly InjectionToken<SignUpInvitations>[];
  /** The providers from plugins with factors, strategies, gates or invitations. */
  readonly providers: readonly Provider[];
  /** The plugins' account hooks. */
  readonly accountHooks: PluginHooks;
}

/** The account routes. */
@Module({})
class AccountsModule {}

/**
 * Makes the accounts module: services, sign-in routes, and the global guard.
 *
 * @throws TypeError for invalid roles or an invalid profile
 */
export function accountsModule(
  options: AccountsOptions,
  { controllers: controllersOf = userControllers, roles: roleNames, profile }: AccountsModuleOptions,
  program: AccountsProgram,
): DynamicModule {
  const roles = new AccountRoles(roleNames);
  const shape = profile && new ProfileShape(profile, accountTable);
  const hasInvitations = program.invitations.length > 0;
  const { controllers, providers } = signInParts(program.factors);
  const core = coreModule([
    { provide: AccountsOptions, useValue: options },
    { provide: APPLICATION, useValue: options.application },
    { provide: AccountRoles, useValue: roles },
    { provide: AccountHookRunner, useValue: new AccountHookRunner(program.accountHooks) },
    ...(shape ? [{ provide: ProfileShape, useValue: shape }] : []),
    ...accountsProviders,
    ...providers,
    {
      provide: SignUpAdmission,
      inject: [AccountsOptions, AttemptsStore, ...program.invitations],
      useFactory: (own: AccountsOptions, attempts: AttemptsStore, ...invitations: SignUpInvitations[]) =>
        new SignUpAdmission(own, attempts, invitations),
    },
    ...program.providers,
    gatesProvider(program),
  ]);
  const pages = options.settings.APP_URL === undefined ? [MailPagesController] : [];
  return {
    module: AccountsModule,
    imports: [core, guardModule(core, program)],
    controllers: inSection('accounts', [
      ProfileController,
      FactorsController,
      ...controllers,
      SessionsController,
      PasswordChangesController,
      PasswordResetsController,
      ...pages,
      EmailVerificationsController,
      PublicKeysController,
      IssuerMetadataController,
      ...controllersOf(
        userClasses(roles, [...wideScopes, ...options.scopes], { profile: shape, hasInvitations }),
      ),
    ]),
    providers: [housekeepingProvider],
    exports: [core],
  };
}

@Module({})
class AccountsCoreModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly feed: RevocationFeed,
    private readonly refused: RefusedAccessLog,
    private readonly keyFile: TokenKeyFile,
    private readonly profiles: Profiles,
    private readonly firstAdministrator: FirstAdministrator,
    private readonly enrolments: FactorEnrolments,
  ) {}

  /** Starts the services after the database is migrated. */
  async onModuleInit(): Promise<void> {
    await this.profiles.check();
    await this.enrolments.checkInUse();
    await this.feed.start();
    await this.firstAdministrator.prepare();
  }

  /** Writes the last refusals before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await this.refused.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.keyFile.stop();
    await this.feed.stop();
  }
}

function coreModule(providers: readonly Provider[]): DynamicModule {
  return {
    module: AccountsCoreModule,
    providers: [...providers],
    exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
  };
}

/** The token for the gates by facet name. */
const GATES = Symbol('gates');

function gatesProvider({ gates }: AccountsProgram): Provider {
  return {
    provide: GATES,
    inject: gates.map(({ provide }) => provide),
    useFactory: (...all: FacetGate[]) => Object.fromEntries(gates.map(({ facet }, at) => [facet, all[at]])),
  };
}

function guardModule(core: DynamicModule, { strategies, issuers }: AccountsProgram): DynamicModule {
  return AuthModule.forRootAsync({
    imports: [core],
    inject: [
      AccountsOptions,
      AccountRoles,
      AccessTokens,
      AccessCheck,
      ApiKeys,
      TrustedIdentitiesStore,
      RefusedAccessLog,
      GATES,
      ...strategies.map(({ provide }) => provide),
    ],
    useFactory: (
      { scopes }: AccountsOptions,
      { names: roles }: AccountRoles,
      tokens: AccessTokens,
      access: AccessCheck,
      keys: ApiKeys,
      identities: TrustedIdentitiesStore,
      refused: RefusedAccessLog,
      gates: Readonly<Record<string, FacetGate>>,
      ...further: Strategy[]
    ) => {
      const own = bearerStrategy({ name: 'jwt', tokens, check: (claims) => access.callerOf(claims) });
      const check = (key: string, { ip }: { readonly ip: string }) => keys.callerOf(key, ip);
      return {
        strategies: [
          ...(issuers?.strategies(own, { access, identities, roles }) ?? [own]),
          apiKeyStrategy({ name: 'api-key', hasScopes: true, check }),
          ...further,
        ],
        roles,
        scopes,
        gates,
        checkErrors: [
          replyWith(AccountDisabledError),
          replyWith(TwoFactorsRequiredError),
          replyWith(RevocationsUnavailableError),
          ...(issuers?.checkErrors ?? []),
          replyWith(StoreUnavailableError),
        ],
        onRefused: (event) => refused.record(event),
      };
    },
  });
}
