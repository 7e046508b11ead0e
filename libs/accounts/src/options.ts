import { dirname, join } from 'node:path';
import { type authSettings, type KeyFile, loadOrCreateSecret, type TokenSecrets } from '@app/auth';
import type { mailSettings } from '@app/mail';
import { type persistenceSettings, sqliteFile } from '@app/persistence';
import type { EnvironmentOf } from '@app/settings';
import { type AccountMails, accountMails } from './mails/account-mails';
import type { accountsSettings } from './settings';

/** The token of the program's name, which audit events and one-time tokens carry. */
export const APPLICATION = Symbol('application');

/** The settings that accounts are configured by. */
export type AccountsEnvironment = EnvironmentOf<
  typeof accountsSettings & typeof authSettings & typeof mailSettings
> &
  Pick<EnvironmentOf<typeof persistenceSettings>, 'DATABASE_URL'> & {
    readonly NODE_ENV?: string;
    readonly PORT?: number;
    readonly PATH_PREFIX?: string;
  };

/** The choices of an application about its accounts that services read. */
export interface AccountsChoices {
  /** The longest lifetime of the tokens that strategies of the application give to `AccessCheck`; default that of our access tokens. */
  readonly longestTokenSeconds?: number;
  /** Scopes of API keys, besides `read` and `write`, which include them: `items:read`. */
  readonly scopes?: readonly string[];
  /** Texts of mails, in place of the default ones. */
  readonly mails?: Partial<AccountMails>;
}

/** The settings of accounts, and the values that several services derive from them. */
export class AccountsOptions {
  /** Whether an e-mail must be confirmed. */
  readonly verifiesEmails: boolean;
  /** The public base URL of the web application; links in mails start with it. */
  readonly appUrl: string;
  /** The folder of the SQLite database; absent on a server. */
  readonly storeFolder: string | undefined;
  readonly scopes: readonly string[];
  readonly mails: AccountMails;
  private readonly longestOfStrategies: number;

  /** @param application the audience of its tokens: other applications reject them */
  constructor(
    readonly application: string,
    readonly settings: AccountsEnvironment,
    { longestTokenSeconds = 0, scopes = [], mails }: AccountsChoices = {},
  ) {
    this.verifiesEmails = settings.EMAIL_VERIFICATION === 'on';
    this.appUrl = settings.APP_URL ?? settings.API_URL ?? localUrl(settings);
    const isFile = sqliteFile(settings.DATABASE_URL) !== undefined;
    this.storeFolder = isFile ? secretFolder(settings.DATABASE_URL) : undefined;
    this.scopes = scopes;
    this.mails = { ...accountMails, ...mails };
    this.longestOfStrategies = longestTokenSeconds;
  }

  /**
   * Returns what signs tokens, and what keys of other purposes are derived from. Without `JWT_SECRET` the secret is in a file beside
   * the SQLite database, which all processes on it share. Called after the database has been opened; may create the file.
   *
   * @throws SecretFileError if that file cannot be used
   */
  readonly secrets = (): TokenSecrets => {
    const { DATABASE_URL, JWT_SECRET, JWT_SECRET_PREVIOUS: previous } = this.settings;
    return {
      secret: JWT_SECRET ?? loadOrCreateSecret(join(secretFolder(DATABASE_URL), 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
    };
  };

  /** Returns how long the longest token is accepted, and its revocations are needed, in seconds. */
  longestTokenSeconds(): number {
    const { ACCESS_TOKEN_TTL, TRUSTED_ISSUERS = [] } = this.settings;
    // A clock that is behind by the leeway issues a token so much earlier than it says, and it is accepted so much longer.
    const ofIssuers = TRUSTED_ISSUERS.map(
      ({ lifetimeSeconds, leewaySeconds }) => lifetimeSeconds + 2 * leewaySeconds,
    );
    return Math.max(ACCESS_TOKEN_TTL, this.longestOfStrategies, ...ofIssuers);
  }
}

/** The program itself, on the machine of its developer. */
function localUrl({ PORT = 0, PATH_PREFIX = '' }: AccountsEnvironment): string {
  return `http://localhost:${PORT === 0 ? 3000 : PORT}${PATH_PREFIX}`;
}

/** The settings that name the files of keys. */
type KeySettings = Pick<AccountsEnvironment, 'DATABASE_URL' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'>;

/** The file with the keys of tokens; `undefined` if the secret signs them. */
export function keyFileOf(settings: KeySettings): KeyFile | undefined {
  const { JWT_ALGORITHM: algorithm, JWT_KEY_FILE: path } = settings;
  if (path === undefined && algorithm === 'HS256') return undefined;
  return { path: path ?? join(secretFolder(settings.DATABASE_URL), 'jwt-keys.json'), algorithm };
}

/** Where the files are that sign access tokens, by their names in a backup; not all of them exist. */
export function keyFiles(settings: KeySettings): Readonly<Record<string, string>> {
  const folder = secretFolder(settings.DATABASE_URL);
  const keys = keyFileOf(settings)?.path ?? join(folder, 'jwt-keys.json');
  return { 'jwt-secret': join(folder, 'jwt-secret'), 'jwt-keys.json': keys };
}

/** The folder of secret files: that of the SQLite database; `data` if the database is a server. */
function secretFolder(databaseUrl: string): string {
  const file = sqliteFile(databaseUrl);
  return file === undefined ? 'data' : dirname(file);
}
