import { dirname, join } from 'node:path';
import { type AccessTokenOptions, keepSecret } from '@app/auth';
import { sqliteFile } from '@app/persistence';
import type { FirstAdministratorOptions } from './first-administrator';

/** What accounts need to be told. */
export interface AccountsOptions {
  /** Asked once, when the store is there; a secret may lie beside it. */
  readonly tokens: () => AccessTokenOptions;
  readonly firstAdministrator: FirstAdministratorOptions;
}

/** The part of a program's settings that accounts are made from. */
export interface AccountsEnvironment {
  readonly DATABASE_URL: string;
  readonly JWT_SECRET?: string;
  readonly JWT_SECRET_PREVIOUS?: string;
  /** In seconds. */
  readonly ACCESS_TOKEN_TTL: number;
  readonly ADMIN_EMAIL?: string;
  readonly ADMIN_PASSWORD?: string;
}

/** Where secrets are kept when the data itself lies on a server. */
const folderOfServerData = 'data';

/**
 * Fills in what the settings leave open: a secret kept in a file beside the embedded data, which every program on
 * that data shares, and the place for a made-up first administrator.
 *
 * @returns options whose `tokens` throws SecretFileError when that file cannot be used as it is
 */
export function accountsOptions(settings: AccountsEnvironment): AccountsOptions {
  const file = sqliteFile(settings.DATABASE_URL);
  const folder = file === undefined ? folderOfServerData : dirname(file);
  const previous = settings.JWT_SECRET_PREVIOUS;
  return {
    tokens: () => ({
      secret: settings.JWT_SECRET ?? keepSecret(join(folder, 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
      ttlSeconds: settings.ACCESS_TOKEN_TTL,
    }),
    firstAdministrator: {
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD,
      folder: file === undefined ? undefined : folder,
    },
  };
}
