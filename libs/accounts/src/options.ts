import { dirname, join } from 'node:path';
import {
  type KeyFile,
  loadOrCreateSecret,
  type TokenAlgorithm,
  type TokenRules,
  type TokenSecrets,
} from '@app/auth';
import { type MailEnvironment, type MailOptions, mailOptions } from '@app/mail';
import { sqliteFile } from '@app/persistence';
import type { SignInRules } from './attempt-policy';
import type { FirstAdministratorOptions } from './first-administrator';
import type { SessionLifetime } from './sessions/session-token-issuer';

/** Configuration of accounts. */
export interface AccountsOptions {
  /** The program, as audit events name it. */
  readonly application: string;
  /** What signs tokens, and what keys of other purposes are derived from. Called after the database has been opened; may create the secret file beside it. */
  readonly secrets: () => TokenSecrets;
  readonly tokens: TokenRules;
  /** Keys that sign tokens in place of the secret. */
  readonly keyFile?: KeyFile;
  /** Whether new passwords that are common are rejected. */
  readonly rejectsCommonPasswords: boolean;
  readonly firstAdministrator: FirstAdministratorOptions;
  readonly signIn: SignInRules;
  /** Sign-ups of one address in an hour. */
  readonly signUpsPerHour: number;
  /** Password resets in an hour. */
  readonly resetsPerHour: { readonly ofAddress: number; readonly ofAccount: number };
  /** Whether an e-mail must be confirmed. */
  readonly verifiesEmails: boolean;
  /** Links that confirm an e-mail, in an hour: of one account, and to one e-mail. */
  readonly emailLinksPerHour: number;
  /** Whether users are told of sign-ins from new devices. */
  readonly tellsNewDevices: boolean;
  /** Where users open the application: links in mails begin with it. */
  readonly appUrl: string;
  readonly sessionLifetime: SessionLifetime;
  /** Refreshes of one session in an hour. */
  readonly refreshesPerHour: number;
  /** Retention of the audit log. */
  readonly auditSeconds: number;
  readonly mail: MailOptions;
  /** Retention of the outbox. */
  readonly mailSeconds: number;
}

/** The settings that accounts are configured from. */
export interface AccountsEnvironment extends MailEnvironment {
  readonly DATABASE_URL: string;
  readonly JWT_SECRET?: string;
  readonly JWT_SECRET_PREVIOUS?: string;
  readonly JWT_ALGORITHM: TokenAlgorithm;
  readonly JWT_KEY_FILE?: string;
  readonly PASSWORD_LIST: 'off' | 'common';
  /** In seconds. */
  readonly ACCESS_TOKEN_TTL: number;
  readonly ADMIN_EMAIL?: string;
  readonly ADMIN_PASSWORD?: string;
  /** In seconds. */
  readonly REFRESH_TOKEN_TTL: number;
  /** In seconds. */
  readonly SESSION_LIFETIME: number;
  readonly REFRESH_SESSION_LIMIT: number;
  readonly SIGN_IN_FAILURES: number;
  readonly SIGN_IN_ACCOUNT_FAILURES: number;
  /** In seconds, like every following duration. */
  readonly SIGN_IN_LOCK: number;
  readonly SIGN_IN_LOCK_MAX: number;
  readonly SIGN_IN_ADDRESS_FAILURES: number;
  readonly SIGN_IN_ADDRESS_WINDOW: number;
  readonly SIGN_UP_ADDRESS_LIMIT: number;
  readonly PASSWORD_RESET_ADDRESS_LIMIT: number;
  readonly PASSWORD_RESET_LIMIT: number;
  readonly EMAIL_VERIFICATION: 'off' | 'on';
  readonly EMAIL_VERIFICATION_LIMIT: number;
  readonly NEW_DEVICE_MAIL: 'off' | 'on';
  readonly APP_URL: string;
  readonly AUDIT_RETENTION: number;
  readonly MAIL_RETENTION: number;
}

/** The `iss` claim of access tokens. */
const tokenIssuer = 'sluice';

/** Directory of the secret file when the database is a server. */
const serverSecretFolder = 'data';

/**
 * Derives the configuration from the settings. Without `JWT_SECRET` the secret is in a file beside the SQLite database, which
 * all processes on it share.
 *
 * @param application the audience of its tokens: other applications reject them
 * @returns options whose `secrets` throws SecretFileError if that file cannot be used
 */
export function accountsOptions(settings: AccountsEnvironment, application: string): AccountsOptions {
  const folder = secretFolder(settings.DATABASE_URL);
  const previous = settings.JWT_SECRET_PREVIOUS;
  return {
    application,
    secrets: () => ({
      secret: settings.JWT_SECRET ?? loadOrCreateSecret(join(folder, 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
    }),
    tokens: { ttlSeconds: settings.ACCESS_TOKEN_TTL, issuer: tokenIssuer, audience: application },
    keyFile: keyFileOf(settings),
    rejectsCommonPasswords: settings.PASSWORD_LIST === 'common',
    firstAdministrator: {
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD,
      folder: sqliteFile(settings.DATABASE_URL) === undefined ? undefined : folder,
    },
    signUpsPerHour: settings.SIGN_UP_ADDRESS_LIMIT,
    resetsPerHour: {
      ofAddress: settings.PASSWORD_RESET_ADDRESS_LIMIT,
      ofAccount: settings.PASSWORD_RESET_LIMIT,
    },
    verifiesEmails: settings.EMAIL_VERIFICATION === 'on',
    emailLinksPerHour: settings.EMAIL_VERIFICATION_LIMIT,
    tellsNewDevices: settings.NEW_DEVICE_MAIL === 'on',
    appUrl: settings.APP_URL,
    signIn: {
      accountFailures: settings.SIGN_IN_FAILURES,
      accountFailuresOverall: settings.SIGN_IN_ACCOUNT_FAILURES,
      firstLockSeconds: settings.SIGN_IN_LOCK,
      longestLockSeconds: settings.SIGN_IN_LOCK_MAX,
      addressFailures: settings.SIGN_IN_ADDRESS_FAILURES,
      addressWindowSeconds: settings.SIGN_IN_ADDRESS_WINDOW,
    },
    sessionLifetime: {
      idleSeconds: settings.REFRESH_TOKEN_TTL,
      totalSeconds: settings.SESSION_LIFETIME,
    },
    refreshesPerHour: settings.REFRESH_SESSION_LIMIT,
    auditSeconds: settings.AUDIT_RETENTION,
    mail: mailOptions(settings),
    mailSeconds: settings.MAIL_RETENTION,
  };
}

/** The file with the keys of tokens; `undefined` if the secret signs them. */
export function keyFileOf(
  settings: Pick<AccountsEnvironment, 'DATABASE_URL' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'>,
): KeyFile | undefined {
  const { JWT_ALGORITHM: algorithm, JWT_KEY_FILE: path } = settings;
  if (path === undefined && algorithm === 'HS256') return undefined;
  return { path: path ?? join(secretFolder(settings.DATABASE_URL), 'jwt-keys.json'), algorithm };
}

function secretFolder(databaseUrl: string): string {
  const file = sqliteFile(databaseUrl);
  return file === undefined ? serverSecretFolder : dirname(file);
}
