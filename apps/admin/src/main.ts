import { givenSecretInProduction, givenTogether, runProgram } from '@app/service';
import { adminSettings } from './admin.settings';
import { AppModule } from './app.module';

void runProgram({
  name: 'admin',
  declarations: adminSettings,
  checks: [givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'), givenSecretInProduction],
  module: (settings) => AppModule.with(settings),
});
