import { AccountsModule, type AccountsModuleOptions, accountsOptions } from '@app/accounts';
import { PersistenceModule, persistenceOptions } from '@app/persistence';
import { type BootedProgram, type BootPlan, bootProgram } from '@app/service/testing';
import type { ModuleMetadata } from '@nestjs/common';
import { apiSettings } from '../../apps/api/src/api.settings';

/** What a guide adds to a program with accounts. */
export interface Guide
  extends
    Pick<ModuleMetadata, 'controllers' | 'imports' | 'providers'>,
    Pick<BootPlan<typeof apiSettings>, 'configure' | 'env' | 'moduleRoutes'> {
  readonly tables?: BootPlan<typeof apiSettings>['tables'];
  readonly accounts?: Pick<
    AccountsModuleOptions,
    'controllers' | 'mails' | 'profile' | 'roles' | 'strategies'
  >;
}

/** Runs the code of a guide in a program with accounts, for one test file. */
export function bootGuide({
  accounts,
  tables,
  configure,
  env,
  moduleRoutes,
  imports = [],
  ...parts
}: Guide): BootedProgram {
  class GuideModule {}
  return bootProgram({
    name: 'guide',
    declarations: apiSettings,
    tables,
    configure,
    env,
    moduleRoutes,
    module: (settings) => ({
      module: GuideModule,
      ...parts,
      imports: [
        ...imports,
        PersistenceModule.forRoot(persistenceOptions(settings)),
        AccountsModule.forRoot({ ...accountsOptions(settings, 'guide'), ...accounts }),
      ],
    }),
  });
}
