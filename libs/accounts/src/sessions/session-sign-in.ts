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

/** Maximum of sessions per account; opening another one revokes the least recently used. */
const MAX_SESSIONS = 100;
/** From how many sessions on the least recently used one is looked for: more sign-ins of one account are never in progress at once. */
const MANY_SESSIONS = MAX_SESSIONS / 2;

/** A sign-in that requires a second factor, for the client. */
export interface MfaToken {
  readonly mfaToken: string;
  /** The kinds of the factors of which one is required. */
  readonly factors: readonly string[];
}

/** Sign-in with a session: opened by credentials, extended by refresh tokens. */
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
   * Opens a session by a first factor, or begins a sign-in that requires a second one.
   *
   * @param device its name, if the client has given it one
   *
   * @returns `undefined` for wrong credentials, or if the password was changed meanwhile
   * @throws the errors of {@link SignInSequence.begin}
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
   * @returns `undefined` for an invalid token, a wrong factor, or if the access of the account was revoked meanwhile
   * @throws the errors of {@link SignInSequence.complete}
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

/** The client, with the name that it has given its device in place of what its `User-Agent` says. */
function named({ ip, device }: Client, given: string | null): Client {
  return { ip, device: given ?? device };
}
