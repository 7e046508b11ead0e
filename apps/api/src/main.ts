import { givenSecretInProduction, givenTogether, runProgram } from '@app/service';
import { apiSettings } from './api.settings';
import { AppModule } from './app.module';

void runProgram({
  name: 'api',
  declarations: apiSettings,
  checks: [givenTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'), givenSecretInProduction],
  module: (settings) => AppModule.with(settings),
});
