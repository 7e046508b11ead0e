import { dirname, join } from 'node:path';
import {
  type authSettings,
  type KeyFile,
  loadOrCreateSecret,
  type TokenRules,
  type TokenSecrets,
} from '@app/auth';
import { type mailSettings, type MailOptions, mailOptions } from '@app/mail';
import { type persistenceSettings, sqliteFile } from '@app/persistence';
import type { Rate, EnvironmentOf } from '@app/settings';
import type { SignInRules } from './sign-in/sign-in-limits';
import type { FirstAdministratorOptions } from './operator/first-administrator';
import type { SessionLifetime } from './sessions/session-token-issuer';
import type { accountsSettings } from './settings';
import type { IntrospectionRules } from './trusted-issuers/introspection-rules';
import type { IssuerRules } from './trusted-issuers/issuer-rules';

/** Configuration of accounts. */
export interface AccountsOptions {
  /** The program, as audit events name it. */
  readonly application: string;
  /** The settings, of which the ways to sign in read theirs. */
  readonly environment: Readonly<Record<string, unknown>>;
  /** What signs tokens, and what keys of other purposes are derived from. Called after the database has been opened; may create the secret file beside it. */
  readonly secrets: () => TokenSecrets;
  readonly tokens: TokenRules;
  /** The longest lifetime of the tokens that strategies of the application give to `AccessCheck`; default that of `tokens`. */
  readonly longestTokenSeconds?: number;
  /** Public base URL of the program, without a slash at the end; the `iss` of its tokens. */
  readonly apiUrl?: string;
  /** Whose access tokens are accepted beside our own. */
  readonly trustedIssuers?: readonly IssuerRules[];
  /** Of the one that is asked about opaque tokens; default none. */
  readonly introspection?: IntrospectionRules;
  /** Keys that sign tokens in place of the secret. */
  readonly keyFile?: KeyFile;
  /** Whether new passwords that are common are rejected. */
  readonly rejectsCommonPasswords: boolean;
  /** Whether the log recommends to reject them. */
  readonly recommendsPasswordList?: boolean;
  /** Of a service that knows breached passwords. */
  readonly passwordRangeUrl?: string;
  /** Whether a change of the password takes the current one as well. */
  readonly requiresCurrentPassword: boolean;
  readonly firstAdministrator: FirstAdministratorOptions;
  readonly signIn: SignInRules;
  /** Sign-ups of one address; `false` for no limit, like the following rates. */
  readonly signUps: Rate | false;
  /** Password resets. */
  readonly resets: { readonly ofAddress: Rate | false; readonly ofAccount: Rate | false };
  /** Whether an e-mail must be confirmed. */
  readonly verifiesEmails: boolean;
  /** Links that confirm an e-mail: of one account, and to one e-mail from one address. */
  readonly emailLinks: Rate | false;
  /** Whether users are notified of sign-ins from new devices. */
  readonly notifiesOfNewDevices: boolean;
  /** Public base URL of the web application; links in mails start with it. */
  readonly appUrl: string;
  /** Whether the program has the pages of these links itself. */
  readonly servesPages: boolean;
  readonly sessionLifetime: SessionLifetime;
  /** Refreshes of one session. */
  readonly refreshes: Rate | false;
  /** Retention of the audit log. */
  readonly auditSeconds: number;
  readonly mail: MailOptions;
  /** Retention of the outbox. */
  readonly mailSeconds: number;
}

/** The settings that accounts are configured from. */
export type AccountsEnvironment = EnvironmentOf<
  typeof accountsSettings & typeof authSettings & typeof mailSettings
> &
  Pick<EnvironmentOf<typeof persistenceSettings>, 'DATABASE_URL'> & {
    readonly NODE_ENV?: string;
    readonly PORT?: number;
    readonly PATH_PREFIX?: string;
  };

/** The `iss` claim of access tokens without a public URL. */
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
    environment: settings,
    secrets: () => ({
      secret: settings.JWT_SECRET ?? loadOrCreateSecret(join(folder, 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
    }),
    tokens: {
      ttlSeconds: settings.ACCESS_TOKEN_TTL,
      issuer: settings.API_URL ?? tokenIssuer,
      audience: application,
    },
    apiUrl: settings.API_URL,
    trustedIssuers: settings.TRUSTED_ISSUERS,
    introspection: settings.TOKEN_INTROSPECTION,
    keyFile: keyFileOf(settings),
    rejectsCommonPasswords: settings.PASSWORD_LIST === 'common',
    recommendsPasswordList: settings.PASSWORD_LIST === 'off' && settings.NODE_ENV === 'production',
    requiresCurrentPassword: settings.PASSWORD_CHANGE === 'current',
    passwordRangeUrl: settings.PASSWORD_RANGE_URL,
    firstAdministrator: {
      email: settings.ADMIN_EMAIL,
      password: settings.ADMIN_PASSWORD,
      folder: sqliteFile(settings.DATABASE_URL) === undefined ? undefined : folder,
    },
    signUps: settings.SIGN_UP_ADDRESS_LIMIT,
    resets: {
      ofAddress: settings.PASSWORD_RESET_ADDRESS_LIMIT,
      ofAccount: settings.PASSWORD_RESET_LIMIT,
    },
    verifiesEmails: settings.EMAIL_VERIFICATION === 'on',
    emailLinks: { limit: 5, windowSeconds: 3600 },
    notifiesOfNewDevices: settings.NEW_DEVICE_MAIL === 'on',
    appUrl: settings.APP_URL ?? settings.API_URL ?? localUrl(settings),
    servesPages: settings.APP_URL === undefined,
    signIn: {
      accountFailures: settings.SIGN_IN_FAILURES,
      accountFailuresOverall: 10 * settings.SIGN_IN_FAILURES,
      // Long enough that guessing takes years, short enough that nobody asks an operator.
      firstLockSeconds: 60,
      longestLockSeconds: 900,
      address: settings.SIGN_IN_ADDRESS_LIMIT,
    },
    sessionLifetime: {
      idleSeconds: settings.REFRESH_TOKEN_TTL,
      totalSeconds: settings.SESSION_LIFETIME,
    },
    refreshes: settings.REFRESH_SESSION_LIMIT,
    auditSeconds: settings.AUDIT_RETENTION,
    mail: mailOptions(settings),
    // An operator looks a mail up within days, and every copy of personal data is a risk.
    mailSeconds: 7 * 86_400,
  };
}

/** The program itself, on the machine of its developer. */
function localUrl({ PORT = 0, PATH_PREFIX = '' }: AccountsEnvironment): string {
  return `http://localhost:${PORT === 0 ? 3000 : PORT}${PATH_PREFIX}`;
}

/** How long the tokens live that {@link AccountsOptions.tokens} does not describe, and after which their revocations are deleted; 0 without any. */
export function longestTokenSeconds({
  longestTokenSeconds: ofStrategies = 0,
  trustedIssuers = [],
}: Pick<AccountsOptions, 'longestTokenSeconds' | 'trustedIssuers'>): number {
  // A clock that is behind by the leeway issues a token so much earlier than it says, and it is accepted so much longer.
  const ofIssuers = trustedIssuers.map(
    ({ lifetimeSeconds, leewaySeconds }) => lifetimeSeconds + 2 * leewaySeconds,
  );
  return Math.max(ofStrategies, ...ofIssuers);
}

/** The file with the keys of tokens; `undefined` if the secret signs them. */
export function keyFileOf(
  settings: Pick<AccountsEnvironment, 'DATABASE_URL' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'>,
): KeyFile | undefined {
  const { JWT_ALGORITHM: algorithm, JWT_KEY_FILE: path } = settings;
  if (path === undefined && algorithm === 'HS256') return undefined;
  return { path: path ?? join(secretFolder(settings.DATABASE_URL), 'jwt-keys.json'), algorithm };
}

/** Where the files are that sign access tokens, by their names in a backup; not all of them exist. */
export function keyFiles(
  settings: Pick<AccountsEnvironment, 'DATABASE_URL' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'>,
): Readonly<Record<string, string>> {
  const folder = secretFolder(settings.DATABASE_URL);
  const keys = keyFileOf(settings)?.path ?? join(folder, 'jwt-keys.json');
  return { 'jwt-secret': join(folder, 'jwt-secret'), 'jwt-keys.json': keys };
}

function secretFolder(databaseUrl: string): string {
  const file = sqliteFile(databaseUrl);
  return file === undefined ? serverSecretFolder : dirname(file);
}
