import { dirname, join } from 'node:path';
import { type authSettings, type KeyFile, loadOrCreateSecret, type TokenSecrets } from '@app/auth';
import type { mailSettings } from '@app/mail';
import { type persistenceSettings, sqliteFile } from '@app/persistence';
import type { EnvironmentOf } from '@app/settings';
import { type AccountMails, accountMails } from './mails/account-mails';
import type { accountsSettings } from './settings';

/** The injection token for the program's name, which audit events and one-time tokens carry. */
export const APPLICATION = Symbol('application');

/** The settings that configure accounts. */
export type AccountsEnvironment = EnvironmentOf<
  typeof accountsSettings & typeof authSettings & typeof mailSettings
> &
  Pick<EnvironmentOf<typeof persistenceSettings>, 'DATABASE_URL'> & {
    readonly NODE_ENV?: string;
    readonly PORT?: number;
    readonly PATH_PREFIX?: string;
    readonly CORS_ORIGINS?: false | '*' | readonly string[];
  };

/** An application's choices about its accounts that services read. */
export interface AccountsChoices {
  /** The longest lifetime of tokens that application strategies give to `AccessCheck`; default the access token lifetime. */
  readonly longestTokenSeconds?: number;
  /** The API key scopes besides `read` and `write`, which include them: `items:read`. */
  readonly scopes?: readonly string[];
  /** The mail texts that replace the default texts. */
  readonly mails?: Partial<AccountMails>;
}

/** The issuers whose access tokens a program accepts beside its own tokens. */
export interface AcceptedIssuers {
  /** The issuers' URLs, for the program's metadata. */
  readonly urls: readonly string[];
  /** The longest time for which a token is accepted and its revocation is needed, in seconds. */
  readonly longestTokenSeconds: number;
}

/** The accounts settings, and the values that several services derive from them. */
export class AccountsOptions {
  /** Whether everybody can create an account. */
  readonly isSignUpOpen: boolean;
  /** Whether an e-mail must be confirmed. */
  readonly verifiesEmails: boolean;
  /** The web application's public base URL; links in mails start with it. */
  readonly appUrl: string;
  /** The SQLite database folder; absent if the database is a server. */
  readonly storeFolder: string | undefined;
  readonly scopes: readonly string[];
  readonly mails: AccountMails;
  private readonly longestOfStrategies: number;

  /**
   * @param application the audience in its tokens; other applications reject them
   * @param issuers the further issuers whose tokens are accepted, if there are any
   */
  constructor(
    readonly application: string,
    readonly settings: AccountsEnvironment,
    { longestTokenSeconds = 0, scopes = [], mails }: AccountsChoices = {},
    readonly issuers?: AcceptedIssuers,
  ) {
    this.isSignUpOpen = settings.SIGN_UP === 'open';
    this.verifiesEmails = settings.EMAIL_VERIFICATION === 'on';
    this.appUrl = settings.APP_URL ?? settings.API_URL ?? localUrl(settings);
    const isFile = sqliteFile(settings.DATABASE_URL) !== undefined;
    this.storeFolder = isFile ? secretFolder(settings.DATABASE_URL) : undefined;
    this.scopes = scopes;
    this.mails = { ...accountMails, ...mails };
    this.longestOfStrategies = longestTokenSeconds;
  }

  /**
   * Returns the secrets that sign tokens and from which keys for other purposes are derived. Without `JWT_SECRET` the secret is
   * in a file beside the SQLite database, which all its processes share. Call it after the database has been opened; it may
   * create the file.
   *
   * @throws SecretFileError if that file is unusable
   */
  readonly secrets = (): TokenSecrets => {
    const { DATABASE_URL, JWT_SECRET, JWT_SECRET_PREVIOUS: previous } = this.settings;
    return {
      secret: JWT_SECRET ?? loadOrCreateSecret(join(secretFolder(DATABASE_URL), 'jwt-secret')),
      previous: previous === undefined ? [] : [previous],
    };
  };

  /** Returns the longest time for which a token is accepted and its revocation is needed, in seconds. */
  longestTokenSeconds(): number {
    const { longestTokenSeconds = 0 } = this.issuers ?? {};
    return Math.max(this.settings.ACCESS_TOKEN_TTL, this.longestOfStrategies, longestTokenSeconds);
  }
}

/** Returns the program's URL on a developer's machine. */
function localUrl({ PORT = 0, PATH_PREFIX = '' }: AccountsEnvironment): string {
  return `http://localhost:${PORT === 0 ? 3000 : PORT}${PATH_PREFIX}`;
}

/** The settings that name the key files. */
type KeySettings = Pick<AccountsEnvironment, 'DATABASE_URL' | 'JWT_ALGORITHM' | 'JWT_KEY_FILE'>;

/** Returns the file with the token keys; `undefined` if the secret signs tokens. */
export function keyFileOf(settings: KeySettings): KeyFile | undefined {
  const { JWT_ALGORITHM: algorithm, JWT_KEY_FILE: path } = settings;
  if (path === undefined && algorithm === 'HS256') return undefined;
  return { path: path ?? join(secretFolder(settings.DATABASE_URL), 'jwt-keys.json'), algorithm };
}

/** Returns the paths to the files that sign access tokens, by their names in a backup. Some files may be missing. */
export function keyFiles(settings: KeySettings): Readonly<Record<string, string>> {
  const folder = secretFolder(settings.DATABASE_URL);
  const keys = keyFileOf(settings)?.path ?? join(folder, 'jwt-keys.json');
  return { 'jwt-secret': join(folder, 'jwt-secret'), 'jwt-keys.json': keys };
}

/** Returns the folder for secret files: the SQLite database's folder, or `data` if the database is a server. */
function secretFolder(databaseUrl: string): string {
  const file = sqliteFile(databaseUrl);
  return file === undefined ? 'data' : dirname(file);
}
