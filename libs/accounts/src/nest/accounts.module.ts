import { AccessTokens, apiKeyStrategy, AuthModule, bearerStrategy, replyWith } from '@app/auth';
import { type Role, StoreUnavailableError } from '@app/persistence';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Accounts } from '../accounts';
import { ApiKeys } from '../api-keys';
import { AttemptsStore } from '../attempts.store';
import { AuditLog } from '../audit-log';
import { AccountDisabledError, RevocationsUnknownError } from '../errors';
import type { AccountsOptions } from '../options';
import { RevocationFeed } from '../revocation/revocation-feed';
import { RevocationsStore } from '../revocation/revocations.store';
import { SessionsStore } from '../sessions/sessions.store';
import { accountsParts } from './accounts.parts';
import { Housekeeping } from './housekeeping';
import { SessionsController } from './sessions.controller';
import { SignInController } from './sign-in.controller';
import { accountSweeps, sessionSweeps } from './sweeps';

/** Accounts and the door they open: sign-in, and the guard that asks who is calling. */
@Module({})
export class AccountsModule {
  static forRoot(options: AccountsOptions): DynamicModule {
    const providers = accountsParts(options);
    const parts: DynamicModule = {
      module: AccountsParts,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
    return {
      module: AccountsModule,
      imports: [parts, guardModule(parts)],
      controllers: [SignInController, SessionsController],
      providers: [
        {
          provide: Housekeeping,
          inject: [AccessTokens, AuditLog, AttemptsStore, RevocationsStore, SessionsStore],
          useFactory: (
            { ttlSeconds }: AccessTokens,
            audit: AuditLog,
            attempts: AttemptsStore,
            revocations: RevocationsStore,
            sessions: SessionsStore,
          ) =>
            new Housekeeping([
              ...accountSweeps(audit, attempts, options),
              ...sessionSweeps(revocations, sessions, ttlSeconds),
            ]),
        },
      ],
      exports: [parts],
    };
  }
}

@Module({})
class AccountsParts implements OnApplicationShutdown {
  constructor(private readonly feed: RevocationFeed) {}

  async onApplicationShutdown(): Promise<void> {
    await this.feed.stop();
  }
}

const roles: readonly Role[] = ['user', 'admin'];

function guardModule(parts: DynamicModule): DynamicModule {
  return AuthModule.forRootAsync({
    imports: [parts],
    inject: [AccessTokens, Accounts, ApiKeys],
    useFactory: (tokens: AccessTokens, accounts: Accounts, keys: ApiKeys) => ({
      strategies: [
        bearerStrategy({ name: 'jwt', tokens, check: (claims) => accounts.whoIs(claims) }),
        apiKeyStrategy({ name: 'api-key', check: (key, { ip }) => keys.whoIs(key, ip) }),
      ],
      roles,
      checkErrors: [
        replyWith(AccountDisabledError),
        replyWith(RevocationsUnknownError),
        replyWith(StoreUnavailableError),
      ],
    }),
  });
}
