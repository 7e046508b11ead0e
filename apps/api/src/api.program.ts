import type { ProgramPlan } from '@app/service';
import { apiSettings } from './api.settings';
import { AppModule } from './app.module';
import { descriptions } from './descriptions';

/** The definition of `api`, for its entry file, its tests, and the scripts that describe it. */
export const program: ProgramPlan<typeof apiSettings> = {
  name: 'api',
  declarations: apiSettings,
  descriptions,
  tables: AppModule.tables,
  module: (settings) => AppModule.with(settings),
};
