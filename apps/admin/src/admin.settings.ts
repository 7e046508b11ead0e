import { accountsSettings } from '@app/accounts';
import { authSettings } from '@app/auth';
import { mailSettings } from '@app/mail';
import { persistenceSettings } from '@app/persistence';
import { serviceSettings } from '@app/service';

/** Every setting that this program reads. */
export const adminSettings = {
  ...serviceSettings,
  ...persistenceSettings,
  ...authSettings,
  ...accountsSettings,
  ...mailSettings,
};
