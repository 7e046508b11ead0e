import { AccountsModule, accountsOptions, operatorControllers } from '@app/accounts';
import { PersistenceModule, persistenceOptions } from '@app/persistence';
import { BackupModule, MetricsController, type SettingsOf } from '@app/service';
import { type DynamicModule, Module } from '@nestjs/common';
import type { adminSettings } from './admin.settings';
import { HomeController } from './home/home.controller';

/** The root module of `admin`, for operators, on the same database. */
@Module({
  controllers: [HomeController, MetricsController],
})
export class AppModule {
  static with(settings: SettingsOf<typeof adminSettings>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({ ...accountsOptions(settings, 'admin'), controllers: operatorControllers }),
        BackupModule.forRoot(settings),
      ],
    };
  }
}
