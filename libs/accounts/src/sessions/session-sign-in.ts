import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { SessionRow } from './session.table';
import { AccountsStore } from '../account/accounts.store';
import type { Client } from '../devices/client';
import type { SignIn } from '../sign-in/sign-in';
import type { FactorProof } from '../sign-in/sign-in-factor';
import { PendingSignIns } from '../sign-in/pending-sign-ins';
import type { Issued, SignInTransaction } from '../sign-in/sign-in-record';
import { type ProveFirst, SignInSequence } from '../sign-in/sign-in-sequence';
import { Revocations, type Revoke } from '../revocation/revocations';
import { hasValidTag, type ParsedRefreshToken, parseRefreshToken } from './refresh-token';
import { SessionTokenIssuer, type TokenPair } from './session-token-issuer';
import { type SessionKey, SessionsStore } from './sessions.store';

/** The most sessions per account. Opening a further session revokes the least recently used session. */
const MAX_SESSIONS = 100;
/** The session count from which the least recently used session is sought. Fewer sign-ins than the rest run concurrently. */
const MANY_SESSIONS = MAX_SESSIONS / 2;

/** A sign-in that requires a second factor, for the client. */
export interface MfaToken {
  readonly mfaToken: string;
  /** The factor kinds that can complete the sign-in. */
  readonly factors: readonly string[];
}

/** Sign-in with a session, which credentials open and refresh tokens extend. */
@Injectable()
export class SessionSignIn {
  constructor(
    private readonly sequence: SignInSequence,
    private readonly pending: PendingSignIns,
    private readonly accounts: AccountsStore,
    private readonly store: SessionsStore,
    private readonly revocations: Revocations,
    private readonly issuer: SessionTokenIssuer,
  ) {}

  /**
   * Opens a session by a first factor, or begins a sign-in that requires a second factor.
   *
   * @param device the device name, if the client sent a name
   * @returns `undefined` for wrong credentials, or if the password was changed meanwhile
   * @throws the {@link SignInSequence.begin} errors
   */
  async open(
    prove: ProveFirst,
    client: Client,
    device: string | null = null,
  ): Promise<TokenPair | MfaToken | undefined> {
    return this.sequence.begin<TokenPair, MfaToken>(prove, client, {
      issue: (signIn, transaction) => this.issue(signIn, named(client, device), transaction),
      hold: async ({ state, ...signIn }, factors, db) => ({
        mfaToken: await this.pending.add({ ...signIn, state: { ...state, device } }, db),
        factors,
      }),
    });
  }

  /**
   * Opens a session by a second factor.
   *
   * @returns `undefined` for an invalid token or a wrong factor, or if the account's access was revoked meanwhile
   * @throws the {@link SignInSequence.complete} errors
   */
  async complete(
    mfaToken: string,
    factor: { readonly kind: string; readonly proof: FactorProof },
    client: Client,
  ): Promise<TokenPair | undefined> {
    const signIn = await this.pending.find(mfaToken, client.ip);
    if (signIn === undefined) return undefined;
    const device = signIn.state?.device ?? null;
    return this.sequence.complete(signIn, factor, client, (completed, transaction) =>
      this.issue(completed, named(client, device), transaction),
    );
  }

  private async issue(
    { account, factors }: SignIn,
    { ip, device }: Client,
    { db, revoke, sessions, storeTime }: SignInTransaction,
  ): Promise<Issued<TokenPair>> {
    const replaced =
      sessions < MANY_SESSIONS ? undefined : await this.store.findByUse(account.id, MAX_SESSIONS - 1, db);
    if (replaced && (await this.store.remove({ accountId: account.id, id: replaced.id }, db)))
      revoke('session', replaced.sid);
    const value = await this.issuer.open(account, factors, { ip, device, storeTime }, db);
    return { value, event: { kind: 'session-created', accountId: account.id, ip } };
  }

  /**
   * Rotates a refresh token. The first use issues its successor. A repeated use within an hour returns the same successor while
   * the successor is unused. Any later use revokes the session (D54).
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

  /** Returns a token's session. It runs before the transaction, so that a forged token never takes or awaits the write lock. */
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

/** Returns the client with the device name that it sent, which replaces the name from its `User-Agent`. */
function named({ ip, device }: Client, chosen: string | null): Client {
  return { ip, device: chosen ?? device };
}
