import { AccountsModule, accountsOptions } from '@app/accounts';
import { PersistenceModule, persistenceOptions } from '@app/persistence';
import { BackupModule, MetricsController, type SettingsOf } from '@app/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { adminSettings } from './admin.settings';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { AuditController } from './audit/audit.controller';
import { HomeController } from './home/home.controller';
import { OutboxController } from './outbox/outbox.controller';
import { SessionsController } from './sessions/sessions.controller';
import { UserTotpController } from './totp/totp.controller';
import { usersController } from './users/users.controller';

/** The root module of `admin`, for operators, on the same database. */
@Module({
  controllers: [
    HomeController,
    ApiKeysController,
    AuditController,
    MetricsController,
    OutboxController,
    SessionsController,
    UserTotpController,
  ],
})
export class AppModule {
  static with(settings: SettingsOf<typeof adminSettings>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({ ...accountsOptions(settings, 'admin'), users: usersController }),
        BackupModule.forRoot(settings),
      ],
    };
  }
}
