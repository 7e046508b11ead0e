import {
  continuousBackups,
  givenSecretInProduction,
  givenTogether,
  type ProgramPlan,
  replicaOfPostgres,
} from '@app/service';
import { adminSettings } from './admin.settings';
import { AppModule } from './app.module';
import { descriptions } from './descriptions';

/** The definition of `admin`, for its entry file, its tests, and the scripts that describe it. */
export const program: ProgramPlan<typeof adminSettings> = {
  name: 'admin',
  declarations: adminSettings,
  checks: [
    givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
    givenTogether('SMTP_URL', 'MAIL_FROM'),
    givenSecretInProduction,
    replicaOfPostgres,
    continuousBackups,
  ],
  descriptions,
  module: (settings) => AppModule.with(settings),
};
