import { randomUUID } from 'node:crypto';
import type { AccessClaims, AccessTokens, Passwords } from '@app/auth';
import { type AccountRow, unlessTaken } from '@app/persistence';
import type { AccountsStore, NewAccount } from './accounts.store';
import type { CredentialCheck } from './credential-check';
import { emailKey } from './emails';
import { AccountDisabledError, EmailTakenError } from './errors';

/** Who is calling, as the access token and the store say it. */
export interface SignedInUser {
  readonly userId: number;
  readonly username: string;
  readonly role: 'user' | 'admin';
  /** The sign-in that the token comes from. */
  readonly sid?: string;
  readonly jti?: string;
}

/** An account to be made, its password still in the clear. */
export type Credentials = Omit<NewAccount, 'passwordHash'> & { readonly password: string };

/** What a user or an administrator may change about an account's credentials. */
export interface CredentialsChange {
  readonly email: string;
  readonly password?: string;
}

/** Sign-up, sign-in and the question who a token belongs to: where auth and the store meet. */
export class Accounts {
  constructor(
    private readonly store: AccountsStore,
    private readonly passwords: Passwords,
    private readonly tokens: AccessTokens,
    private readonly credentials: CredentialCheck,
  ) {}

  /** @throws EmailTakenError when another account has the e-mail */
  async signUp({ password, ...account }: Credentials): Promise<AccountRow> {
    const passwordHash = await this.passwords.hash(password);
    return unlessEmailTaken(this.store.insert({ ...account, passwordHash }));
  }

  /**
   * Changes an account's e-mail, and its password when one is given.
   *
   * @returns the account as it is now, or `undefined` if there is none with this id
   * @throws EmailTakenError when another account has the e-mail
   */
  async change(id: number, { email, password }: CredentialsChange): Promise<AccountRow | undefined> {
    if (password === undefined) return unlessEmailTaken(this.store.update(id, { email }));
    const passwordHash = await this.passwords.hash(password);
    return unlessEmailTaken(this.store.update(id, { email, passwordHash, passwordChangedAt: new Date() }));
  }

  /**
   * Exchanges credentials for an access token.
   *
   * @returns a compact JWS, or `undefined` when user and password do not belong together
   * @throws whatever {@link CredentialCheck.check} throws
   */
  async signIn(username: string, password: string, ip: string): Promise<string | undefined> {
    const account = await this.credentials.check(username, password, ip);
    return account && this.tokens.sign({ sub: account.id, username: account.email, sid: randomUUID() });
  }

  /**
   * The check behind every access token: does its account still stand?
   *
   * @returns the caller, or `undefined` when the account is gone or the e-mail was never its own
   * @throws AccountDisabledError when an operator has closed the account
   */
  async whoIs(claims: AccessClaims): Promise<SignedInUser | undefined> {
    const account = await this.store.findById(claims.sub);
    if (account === undefined || !wasKnownAs(account, claims)) return undefined;
    if (account.disabledAt !== null) throw new AccountDisabledError();
    const { username, sid, jti } = claims;
    return { userId: account.id, username, role: account.role, sid, jti };
  }
}

/** A token carries the e-mail of its day: one signed before the last change may name another. */
function wasKnownAs(account: AccountRow, { username, iat }: AccessClaims): boolean {
  if (emailKey(username) === account.emailKey) return true;
  const changedAt = account.emailChangedAt?.getTime();
  return changedAt !== undefined && iat !== undefined && iat * 1000 <= changedAt;
}

function unlessEmailTaken<T>(write: Promise<T>): Promise<T> {
  return unlessTaken(
    'account_email_key_unique',
    write,
    (cause) => new EmailTakenError('another account has this e-mail', { cause }),
  );
}
