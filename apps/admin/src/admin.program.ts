import type { ProgramPlan } from '@app/service';
import { adminSettings } from './admin.settings';
import { AppModule } from './app.module';
import { descriptions } from './descriptions';

/** The definition of `admin`, for its entry file, its tests, and the scripts that describe it. */
export const program: ProgramPlan<typeof adminSettings> = {
  name: 'admin',
  declarations: adminSettings,
  descriptions,
  module: (settings) => AppModule.with(settings),
};
