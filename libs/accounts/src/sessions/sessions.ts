import type { AccessTokens } from '@app/auth';
import { type AccountRow, ForeignKeyViolationError, type Queries, type SessionRow } from '@app/persistence';
import type { SignedInUser } from '../accounts';
import type { AccountsStore } from '../accounts.store';
import type { Operator } from '../administration';
import type { AuditLog } from '../audit-log';
import { type CredentialCheck, isStillProven } from '../credential-check';
import { AccountDisabledError } from '../errors';
import type { Revocations } from '../revocation/revocations';
import {
  firstRefreshToken,
  hashOf,
  isFromSession,
  makeKey,
  type ReadRefreshToken,
  readRefreshToken,
  successorOf,
} from './refresh-token';
import type { SessionsStore } from './sessions.store';
import { makeSid } from './sid';
import type { StoreClock } from './store-clock';

/** How long a token that was turned still gets its successor: a racing tab, a lost answer (D19). In milliseconds. */
const GRACE_MS = 10_000;
/** How far ahead a turn may seem to lie: two looks at one clock may come in late. Further ahead is none we can date. */
const SKEW_MS = 5_000;
/** Sessions of one account; the one unused for longest makes room. */
const MAX_SESSIONS = 100;

/** What opens and keeps a session: the tokens as they go to the client. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** What came of a refresh token inside its transaction. */
type Turn = { readonly pair: TokenPair } | 'refused';

/** Sign-ins that last: opened with a password, kept alive by refresh tokens, ended by hand, theft or age. */
export class Sessions {
  constructor(
    private readonly store: SessionsStore,
    private readonly accounts: AccountsStore,
    private readonly revocations: Revocations,
    private readonly credentials: CredentialCheck,
    private readonly tokens: AccessTokens,
    private readonly audit: AuditLog,
    private readonly clock: StoreClock,
    private readonly ttlSeconds: number,
  ) {}

  /**
   * Opens a session.
   *
   * @returns `undefined` when user and password do not belong together, or no longer do
   * @throws whatever {@link CredentialCheck.check} throws
   */
  async open(username: string, password: string, ip: string): Promise<TokenPair | undefined> {
    const proven = await this.credentials.check(username, password, ip);
    if (proven === undefined) return undefined;
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.accounts.findById(proven.id, db);
      if (account === undefined || !isStillProven(proven, account)) return undefined;
      if (account.disabledAt !== null) throw new AccountDisabledError();
      for (const { sid } of await this.makeRoom(account.id, db)) revoke('session', sid);
      return this.begin(account, ip, db);
    });
  }

  /**
   * Turns a refresh token. The first time makes its one successor. Again within ten seconds, while that successor has not
   * been turned itself, gives that same one; any later use ends the session (D19).
   *
   * @returns `undefined` for whatever is not, or no longer, good for a turn
   */
  async refresh(text: string, ip: string): Promise<TokenPair | undefined> {
    const token = readRefreshToken(text);
    if (token === undefined || !(await this.hasIssued(token))) return undefined;
    try {
      const turn = await this.revocations.inTransaction((db, revoke) =>
        this.turn(token, ip, db, (sid) => revoke('session', sid)),
      );
      return turn === 'refused' ? undefined : turn.pair;
    } catch (error) {
      // The session ended between our reading it and our writing its next token.
      if (error instanceof ForeignKeyViolationError) return undefined;
      throw error;
    }
  }

  /** Ends the sign-in that a caller's token comes from, whether or not it is a session. */
  async logout({ userId, sid, jti }: SignedInUser, ip: string): Promise<void> {
    await this.revocations.inTransaction(async (db, revoke) => {
      if (sid !== undefined) {
        await this.store.removeBySid(sid, db);
        revoke('session', sid);
      } else if (jti !== undefined) revoke('token', jti);
      await this.audit.record({ kind: 'session-ended', accountId: userId, ip }, db);
    });
  }

  /**
   * Ends one session of an account.
   *
   * @returns whether the account had it
   */
  end(accountId: number, id: number, operator: Operator = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const session = await this.store.findById(id, db);
      if (session?.accountId !== accountId) return false;
      await this.store.remove(id, db);
      revoke('session', session.sid);
      await this.audit.record({ kind: 'session-ended', accountId, ...operator }, db);
      return true;
    });
  }

  /**
   * Ends every session and every token of an account.
   *
   * @returns whether there is such an account
   */
  endAll(accountId: number, operator: Operator = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      if (!(await this.accounts.beginEpoch(accountId, undefined, db))) return false;
      await this.store.removeAllOf(accountId, undefined, db);
      revoke('account', accountId);
      await this.audit.record({ kind: 'session-ended', accountId, ...operator, detail: { all: true } }, db);
      return true;
    });
  }

  private async makeRoom(accountId: number, db: Queries): Promise<SessionRow[]> {
    const open = await this.store.list(accountId, { limit: MAX_SESSIONS, offset: 0 }, db);
    if (open.length < MAX_SESSIONS) return [];
    const [stalest] = open.toSorted((one, other) => one.lastUsedAt.getTime() - other.lastUsedAt.getTime());
    await this.store.remove(stalest.id, db);
    return [stalest];
  }

  private async begin(account: AccountRow, ip: string, db: Queries): Promise<TokenPair> {
    const now = await this.clock.read(db);
    const session = await this.store.insert(
      {
        accountId: account.id,
        sid: makeSid(account.tokenGeneration),
        tagKey: makeKey(),
        ip,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: this.expiry(now),
      },
      db,
    );
    const refreshToken = firstRefreshToken(session.id, session.tagKey);
    await this.store.insertToken(hashOf(refreshToken), session.id, db);
    await this.audit.record({ kind: 'session-opened', accountId: account.id, ip }, db);
    return this.pair(account, session, refreshToken);
  }

  private async turn(
    token: ReadRefreshToken,
    ip: string,
    db: Queries,
    revoke: (sid: string) => void,
  ): Promise<Turn> {
    const session = await this.store.findById(token.sessionId, db);
    if (session === undefined || !isFromSession(token, session.tagKey)) return 'refused';
    const now = await this.clock.read(db);
    if (session.expiresAt <= now) return 'refused';
    const account = await this.accounts.findById(session.accountId, db);
    if (account === undefined || account.disabledAt !== null) return 'refused';
    const known = await this.store.findToken(token.hash, db);
    if (known?.turnedAt === null) return this.turnFirst(token, session, account, { ip, now }, db);
    if (known?.salt != null && isWithinGrace(this.clock.since(known.turnedAt, now))) {
      const successor = successorOf(token, known.salt, session.tagKey);
      const newest = await this.store.findToken(hashOf(successor), db);
      if (newest?.turnedAt === null) return { pair: this.pair(account, session, successor) };
    }
    await this.store.remove(session.id, db);
    revoke(session.sid);
    await this.audit.record({ kind: 'session-stolen', accountId: account.id, ip }, db);
    return 'refused';
  }

  /** Checked before the transaction: a forged token must not wait for, or hold, the lock of those who write. */
  private async hasIssued(token: ReadRefreshToken): Promise<boolean> {
    const session = await this.store.findById(token.sessionId);
    return session !== undefined && isFromSession(token, session.tagKey);
  }

  private async turnFirst(
    token: ReadRefreshToken,
    session: SessionRow,
    account: AccountRow,
    { ip, now }: { readonly ip: string; readonly now: Date },
    db: Queries,
  ): Promise<Turn> {
    const salt = makeKey();
    const successor = successorOf(token, salt, session.tagKey);
    await this.store.prolong(session.id, now, this.expiry(now), db);
    await this.store.markTurned(token.hash, now, salt, db);
    await this.store.forgetTurned(session.id, this.clock.ago(GRACE_MS, now), db);
    await this.store.insertToken(hashOf(successor), session.id, db);
    await this.audit.record({ kind: 'session-turned', accountId: account.id, ip }, db);
    return { pair: this.pair(account, session, successor) };
  }

  private pair(account: AccountRow, { sid }: SessionRow, refreshToken: string): TokenPair {
    const accessToken = this.tokens.sign({ sub: account.id, username: account.email, sid });
    return { accessToken, refreshToken };
  }

  private expiry(from: Date): Date {
    return new Date(from.getTime() + this.ttlSeconds * 1000);
  }
}

function isWithinGrace(ageMs: number): boolean {
  return ageMs >= -SKEW_MS && ageMs <= GRACE_MS;
}
