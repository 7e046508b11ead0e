import { authSettings } from '@app/auth';
import { mailSettings } from '@app/mail';
import { persistenceSettings } from '@app/persistence';
import { z } from 'zod';
import { type AccountsEnvironment, AccountsOptions } from '../src/options';
import { accountsSettings } from '../src/settings';

/** The secret that programs use in tests. */
export const secret = 'k3Jv0pPz7Qm2rS9tU4wX1yA6bC8dE5fG';

const defaults = z
  .object({ ...accountsSettings, ...authSettings, ...mailSettings, ...persistenceSettings })
  .parse({ JWT_SECRET: secret, APP_URL: 'http://localhost' });

/** Returns program options with all limits off, unless a test sets them. */
export function testOptions(settings: Partial<AccountsEnvironment> = {}): AccountsOptions {
  return new AccountsOptions('api', {
    ...defaults,
    DATABASE_URL: 'postgres://localhost/tests',
    SIGN_IN_FAILURES: 1_000_000,
    SIGN_IN_ADDRESS_LIMIT: false,
    SIGN_UP_ADDRESS_LIMIT: false,
    PASSWORD_RESET_ADDRESS_LIMIT: false,
    PASSWORD_RESET_LIMIT: false,
    REFRESH_SESSION_LIMIT: false,
    ...settings,
  });
}
