import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { apiSettings } from '../src/api.settings';
import { AppModule } from '../src/app.module';

/** Runs `api` for one file of tests. */
export function bootApi(plan: Pick<BootPlan<typeof apiSettings>, 'env' | 'controllers'> = {}): BootedProgram {
  return bootProgram({
    name: 'api',
    declarations: apiSettings,
    module: (settings) => AppModule.with(settings),
    ...plan,
  });
}
