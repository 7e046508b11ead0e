import type { Queries } from '@app/persistence';
import type { SessionRow } from './session.table';
import type { AccountsStore } from '../account/accounts.store';
import { AccountDisabledError } from '../errors';
import { deviceOf, type SignInOrigin } from '../devices/sign-in-origin';
import { amrOf, type FactorProof, lastOf } from '../factors/sign-in-factor';
import type { PendingSignIn, PendingSignIns } from '../sign-in/pending-sign-ins';
import type { SignInRecord } from '../sign-in/sign-in-record';
import type { ProveFirst, RecordedSignIn, SignInSequence } from '../sign-in/sign-in-sequence';
import type { Revocations, Revoke } from '../revocation/revocations';
import { hasValidTag, type ParsedRefreshToken, parseRefreshToken } from './refresh-token';
import type { SessionTokenIssuer, TokenPair } from './session-token-issuer';
import type { SessionKey, SessionsStore } from './sessions.store';

/** Maximum of sessions per account; opening another one revokes the least recently used. */
const MAX_SESSIONS = 100;

/** Where a session is opened. */
export interface SessionOrigin extends SignInOrigin {
  /** The name of the device, if the client has given it one. */
  readonly device?: string;
}

/** A second factor, with the token of the first one. */
export interface CompletedSignIn {
  readonly mfaToken: string;
  readonly kind: string;
  readonly proof: FactorProof;
}

/** Sign-in with a session: opened by credentials, extended by refresh tokens. */
export class SessionSignIn {
  constructor(
    private readonly sequence: SignInSequence,
    private readonly record: SignInRecord,
    private readonly pending: PendingSignIns,
    private readonly accounts: AccountsStore,
    private readonly store: SessionsStore,
    private readonly revocations: Revocations,
    private readonly issuer: SessionTokenIssuer,
  ) {}

  /**
   * Opens a session by a first factor, or begins a sign-in that requires a second one.
   *
   * @returns `undefined` for wrong credentials, or if the password was changed meanwhile
   * @throws the errors of {@link SignInSequence.begin}
   */
  async open(prove: ProveFirst, origin: SessionOrigin): Promise<TokenPair | PendingSignIn | undefined> {
    const signIn = await this.sequence.begin(prove, origin);
    if (signIn === undefined || !('pending' in signIn)) return signIn && this.issue(signIn, origin);
    const mfaToken = await this.pending.add(signIn.proven, origin.device ?? null);
    return { mfaToken, factors: signIn.pending };
  }

  /**
   * Opens a session by a second factor.
   *
   * @returns `undefined` for an invalid token, a wrong factor, or if the access of the account was revoked meanwhile
   * @throws the errors of {@link SignInSequence.complete}
   */
  async complete(
    { mfaToken, ...given }: CompletedSignIn,
    origin: SignInOrigin,
  ): Promise<TokenPair | undefined> {
    const found = await this.pending.find(mfaToken);
    const signIn = found && (await this.sequence.complete(found, given, origin));
    return signIn && this.issue(signIn, { ...origin, device: found.device ?? undefined });
  }

  private issue(
    signIn: RecordedSignIn,
    { device, ...origin }: SessionOrigin,
  ): Promise<TokenPair | undefined> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.record.lockProven(signIn, db);
      if (account === undefined) return undefined;
      if (account.disabledAt !== null) throw new AccountDisabledError();
      const replaced = await this.store.findByUse(account.id, MAX_SESSIONS - 1, db);
      if (replaced && (await this.store.remove({ accountId: account.id, id: replaced.id }, db)))
        revoke('session', replaced.sid);
      const place = { ip: origin.ip, device: device ?? deviceOf(origin) };
      const { authTime } = lastOf(signIn.factors);
      return this.issuer.open(account, { ...place, amr: amrOf(signIn.factors), authTime }, db);
    });
  }

  /**
   * Rotates a refresh token: the first use issues its successor, a repeated use within an hour returns the same successor
   * while nobody has used it, and any later use revokes the session (D54).
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
    const session = await this.store.find(keyOf(token));
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
    const session = await this.store.lock(keyOf(token), db);
    if (session === undefined) return undefined;
    const account = await this.accounts.findById(session.accountId, db);
    if (account === undefined || account.disabledAt !== null) return undefined;
    const result = await this.issuer.rotate(token, session, account, ip, db);
    if (result === 'reused') revoke('session', session.sid);
    return typeof result === 'string' ? undefined : result;
  }
}

function keyOf({ accountId, sessionId }: ParsedRefreshToken): SessionKey {
  return { accountId, id: sessionId };
}
