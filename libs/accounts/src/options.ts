import { dirname, join } from 'node:path';
import { type AccessTokenOptions, loadOrCreateSecret } from '@app/auth';
import { sqliteFile } from '@app/persistence';
import type { SignInRules } from './attempt-policy';
import type { FirstAdministratorOptions } from './first-administrator';

/** What accounts need to be told. */
export interface AccountsOptions {
  /** Asked once, when the store is there; a secret may lie beside it. */
  readonly tokens: () => AccessTokenOptions;
  readonly firstAdministrator: FirstAdministratorOptions;
  readonly signIn: SignInRules;
  /** How long a session lasts after its last refresh. */
  readonly sessionSeconds: number;
  /** How long the audit log is kept. */
  readonly auditSeconds: number;
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
  /** In seconds. */
  readonly REFRESH_TOKEN_TTL: number;
  readonly SIGN_IN_FAILURES: number;
  /** In seconds, like every setting that follows and tells a time. */
  readonly SIGN_IN_LOCK: number;
  readonly SIGN_IN_LOCK_MAX: number;
  readonly SIGN_IN_ADDRESS_FAILURES: number;
  readonly SIGN_IN_ADDRESS_WINDOW: number;
  readonly AUDIT_RETENTION: number;
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
      secret: settings.JWT_SECRET ?? loadOrCreateSecret(join(folder, 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
      ttlSeconds: settings.ACCESS_TOKEN_TTL,
    }),
    firstAdministrator: {
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD,
      folder: file === undefined ? undefined : folder,
    },
    signIn: {
      accountFailures: settings.SIGN_IN_FAILURES,
      firstLockSeconds: settings.SIGN_IN_LOCK,
      longestLockSeconds: settings.SIGN_IN_LOCK_MAX,
      addressFailures: settings.SIGN_IN_ADDRESS_FAILURES,
      addressWindowSeconds: settings.SIGN_IN_ADDRESS_WINDOW,
    },
    sessionSeconds: settings.REFRESH_TOKEN_TTL,
    auditSeconds: settings.AUDIT_RETENTION,
  };
}
