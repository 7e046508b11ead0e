import { type BootedProgram, bootProgram, type BootPlan } from '@app/service/testing';
import { adminSettings } from '../src/admin.settings';
import { AppModule } from '../src/app.module';

/** Runs `admin` for one file of tests. */
export function bootAdmin(
  plan: Pick<BootPlan<typeof adminSettings>, 'env' | 'controllers'> = {},
): BootedProgram {
  return bootProgram({
    name: 'admin',
    declarations: adminSettings,
    module: (settings) => AppModule.with(settings),
    ...plan,
  });
}
