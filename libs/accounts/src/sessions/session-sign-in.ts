import type { Queries } from '@app/persistence';
import type { SessionRow } from './session.table';
import type { AccountsStore } from '../account/accounts.store';
import { isPasswordUnchanged } from '../sign-in/credential-check';
import { AccountDisabledError } from '../errors';
import { deviceOf, type SignInOrigin } from '../devices/sign-in-origin';
import type { SignInSequence } from '../sign-in/sign-in-sequence';
import type { Revocations, Revoke } from '../revocation/revocations';
import { hasValidTag, type ParsedRefreshToken, parseRefreshToken } from './refresh-token';
import type { SessionTokenIssuer, TokenPair } from './session-token-issuer';
import type { SessionsStore } from './sessions.store';

/** Maximum of sessions per account; opening another one revokes the least recently used. */
const MAX_SESSIONS = 100;

/** Where a session is opened. */
export interface SessionOrigin extends SignInOrigin {
  /** The name of the device, if the client has given it one. */
  readonly device?: string;
}

/** Sign-in with a session: opened by credentials, extended by refresh tokens. */
export class SessionSignIn {
  constructor(
    private readonly sequence: SignInSequence,
    private readonly accounts: AccountsStore,
    private readonly store: SessionsStore,
    private readonly revocations: Revocations,
    private readonly issuer: SessionTokenIssuer,
  ) {}

  /**
   * Opens a session.
   *
   * @returns `undefined` for wrong credentials, or if the password was changed meanwhile
   * @throws the errors of {@link SignInSequence.run}
   */
  async open(
    username: string,
    password: string,
    { device, ...origin }: SessionOrigin,
  ): Promise<TokenPair | undefined> {
    const signIn = await this.sequence.run(username, password, origin);
    if (signIn === undefined) return undefined;
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.accounts.lock(signIn.account.id, db);
      if (account === undefined || !isPasswordUnchanged(signIn.account, account)) return undefined;
      if (account.disabledAt !== null) throw new AccountDisabledError();
      const replaced = await this.store.findByUse(account.id, MAX_SESSIONS - 1, db);
      if (replaced && (await this.store.remove(replaced.id, db))) revoke('session', replaced.sid);
      return this.issuer.open(account, { ip: origin.ip, device: device ?? deviceOf(origin) }, db);
    });
  }

  /**
   * Rotates a refresh token: the first use issues its successor, a repeated use within ten seconds, while that
   * successor was not used, returns the same one, and any later use revokes the session (D19).
   *
   * @returns `undefined` for an invalid, expired or reused token
   * @throws TooManyRefreshesError if the session was refreshed too often
   */
  async refresh(text: string, ip: string): Promise<TokenPair | undefined> {
    const token = parseRefreshToken(text);
    const session = token && (await this.issuedTo(token));
    if (token === undefined || session === undefined) return undefined;
    await this.issuer.checkLimit(token, session);
    return this.revocations.inTransaction((db, revoke) => this.rotate(token, ip, db, revoke));
  }

  /** Checked before the transaction: a forged token must neither wait for the write lock nor take it. */
  private async issuedTo(token: ParsedRefreshToken): Promise<SessionRow | undefined> {
    const session = await this.store.findById(token.sessionId);
    const isIssued =
      session !== undefined && hasValidTag(token, session.tagKey) && this.issuer.isOwn(session);
    return isIssued ? session : undefined;
  }

  private async rotate(
    token: ParsedRefreshToken,
    ip: string,
    db: Queries,
    revoke: Revoke,
  ): Promise<TokenPair | undefined> {
    // What names a session never changes: it was checked before.
    const session = await this.store.lock(token.sessionId, db);
    if (session === undefined) return undefined;
    const account = await this.accounts.findById(session.accountId, db);
    if (account === undefined || account.disabledAt !== null) return undefined;
    const result = await this.issuer.rotate(token, session, account, ip, db);
    if (result === 'reused') revoke('session', session.sid);
    return typeof result === 'string' ? undefined : result;
  }
}
