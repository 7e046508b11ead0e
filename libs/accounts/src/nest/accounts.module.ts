import { AccessTokens, apiKeyStrategy, AuthModule, bearerStrategy, replyWith, TokenKeyFile } from '@app/auth';
import { type Role, StoreUnavailableError } from '@app/persistence';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { AccessCheck } from '../access-check';
import { ApiKeys } from '../api-keys';
import { AccountDisabledError, RevocationsUnknownError } from '../errors';
import { type AccountMails, accountMails } from '../mails/account-mails';
import type { AccountsOptions } from '../options';
import { RevocationFeed } from '../revocation/revocation-feed';
import { accountsProviders } from './accounts.providers';
import type { FactorsFactory } from './factors-factory';
import { housekeepingProvider } from './retention-rules';
import { TimeFloor } from '../time-floor';
import { EmailVerificationsController } from './email-verifications.controller';
import { PublicKeysController } from './public-keys.controller';
import { PasswordResetsController } from './password-resets.controller';
import { SessionsController } from './sessions.controller';
import { SignInController } from './sign-in.controller';
import type { AccountsModuleOptions, StrategiesFactory } from './strategies-factory';

/** Accounts, their sign-in routes, and the global guard. */
@Module({})
export class AccountsModule {
  /** @param options of `accountsOptions()`, with `strategies`, `factors`, `scopes` and `mails` of the application */
  static forRoot({ strategies, mails, scopes, factors, ...options }: AccountsModuleOptions): DynamicModule {
    const core = coreModule(options, { ...accountMails, ...mails }, factors);
    return {
      module: AccountsModule,
      imports: [core, guardModule(core, strategies, scopes)],
      controllers: [
        SignInController,
        SessionsController,
        PasswordResetsController,
        EmailVerificationsController,
        PublicKeysController,
      ],
      providers: [housekeepingProvider(options)],
      exports: [core],
    };
  }
}

@Module({})
class AccountsCoreModule implements OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly feed: RevocationFeed,
    private readonly floor: TimeFloor,
    private readonly keyFile: TokenKeyFile,
  ) {}

  /** Before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await this.floor.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.keyFile.stop();
    await this.feed.stop();
  }
}

function coreModule(
  options: AccountsOptions,
  mails: AccountMails,
  factors: FactorsFactory = { useFactory: () => [] },
): DynamicModule {
  const providers = accountsProviders(options, mails, factors);
  return {
    module: AccountsCoreModule,
    imports: factors.imports,
    providers,
    exports: providers.map(({ provide }) => provide),
  };
}

const roles: readonly Role[] = ['user', 'admin'];

function guardModule(
  core: DynamicModule,
  { imports = [], inject = [], useFactory }: StrategiesFactory = { useFactory: () => [] },
  scopes: readonly string[] = [],
): DynamicModule {
  return AuthModule.forRootAsync({
    imports: [core, ...imports],
    inject: [AccessTokens, AccessCheck, ApiKeys, ...inject],
    useFactory: async (tokens: AccessTokens, access: AccessCheck, keys: ApiKeys, ...injected: never[]) => ({
      strategies: [
        bearerStrategy({ name: 'jwt', tokens, check: (claims) => access.callerOf(claims) }),
        apiKeyStrategy({ name: 'api-key', hasScopes: true, check: (key, { ip }) => keys.callerOf(key, ip) }),
        ...(await useFactory(...injected)),
      ],
      roles,
      scopes,
      checkErrors: [
        replyWith(AccountDisabledError),
        replyWith(RevocationsUnknownError),
        replyWith(StoreUnavailableError),
      ],
    }),
  });
}
