import { AccessTokens } from '@app/auth';
import { DatabaseClock, type Queries, type StoreClock } from '@app/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import type { SignedInNow } from '../account/accounts.store';
import { TooManyRefreshesError } from '../errors';
import { Limiter } from '../limits/limiter';
import type { SessionRow } from './session.table';
import { AuditLog } from '../audit/audit-log';
import { firstRefreshToken, hashOf, type ParsedRefreshToken, randomKey, successorOf } from './refresh-token';
import { type RefreshCount, SessionsStore } from './sessions.store';
import { makeSid } from '../access/sid';
import type { Client } from '../devices/client';
import { amrOf, factorClaims, lastOf, type VerifiedFactors } from '../sign-in/sign-in-factor';
import { AccountsOptions } from '../options';

/** The time for which a rotated token returns its unused successor, for concurrent requests and lost responses (D54). */
const GRACE_MS = 3_600_000;
/** The tolerance for a rotation that appears to be in the future, since two clock readings may arrive out of order. */
const SKEW_MS = 5_000;

/** The tokens of a session for the client. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The access token's lifetime, in seconds. */
  readonly expiresIn: number;
}

/** Issues and rotates session tokens. */
@Injectable()
export class SessionTokenIssuer {
  private readonly limit: Limiter | undefined;

  constructor(
    private readonly store: SessionsStore,
    private readonly tokens: AccessTokens,
    private readonly audit: AuditLog,
    @Inject(DatabaseClock) private readonly clock: Pick<StoreClock, 'wall'>,
    private readonly options: AccountsOptions,
  ) {
    const { REFRESH_SESSION_LIMIT: limit } = options.settings;
    if (limit !== false) this.limit = new Limiter(limit);
  }

  /** Creates a session with its first tokens. */
  async open(
    account: AccountRow,
    factors: VerifiedFactors,
    { ip, device, storeTime }: Client & Pick<SignedInNow, 'storeTime'>,
    db: Queries,
  ): Promise<TokenPair> {
    const { authTime } = lastOf(factors);
    const now = new Date(await this.clock.wall(db, storeTime));
    const session = await this.store.insert(
      {
        accountId: account.id,
        sid: makeSid(account.tokenGeneration),
        tagKey: randomKey(),
        ip,
        device: device ?? null,
        amr: amrOf(factors).join(' '),
        authenticatedAt: authTime === undefined ? null : new Date(authTime * 1000),
        audience: this.tokens.audience ?? null,
        createdAt: now,
        lastUsedAt: now,
        expiresAt: this.expiry(now, now),
      },
      db,
    );
    const refreshToken = firstRefreshToken(session);
    await this.store.insertToken(hashOf(refreshToken), session, db);
    return this.pair(account, session, refreshToken, now);
  }

  /** Returns whether this application opened a session, or an earlier release that did not record its application. */
  isOwn({ audience }: SessionRow): boolean {
    return audience === null || audience === this.tokens.audience;
  }

  /**
   * Checks the refresh limit before {@link rotate}, so that a request over it does not wait for the write lock. A reused token
   * passes, because its session must end.
   *
   * @throws TooManyRefreshesError if the session is over its limit
   */
  async checkLimit(token: ParsedRefreshToken, session: SessionRow): Promise<void> {
    if (this.limit === undefined || session.refreshes < this.limit.policy.free) return;
    const stored = await this.store.findToken(token);
    if (stored?.turnedAt === null) this.countRefresh(session);
  }

  /**
   * Rotates a refresh token that belongs to the session.
   *
   * @returns the tokens; `expired` if the session is; `reused` if the token was rotated more than an hour ago, or its
   *          successor was rotated too, which removes the session
   * @throws TooManyRefreshesError if the session is over its limit
   */
  async rotate(
    token: ParsedRefreshToken,
    session: SessionRow,
    account: AccountRow,
    ip: string,
    db: Queries,
  ): Promise<TokenPair | 'expired' | 'reused'> {
    const now = new Date(await this.clock.wall(db));
    // Also by a lifetime that was shortened since.
    if (session.expiresAt <= now || this.expiry(now, session.createdAt) <= now) return 'expired';
    const stored = await this.store.findToken(token, db);
    if (stored?.turnedAt === null) {
      const successor = await this.issueSuccessor(token, session, now, ip, db);
      return this.pair(account, session, successor, now);
    }
    if (stored?.salt != null && isWithinGrace(now.getTime() - stored.turnedAt.getTime())) {
      const successor = successorOf(token, stored.salt, session.tagKey);
      const { accountId } = session;
      const newest = await this.store.findToken({ accountId, hash: hashOf(successor) }, db);
      if (newest?.turnedAt === null) {
        await this.store.setRefreshCount(session, this.countRefresh(session), db);
        const detail = { session: session.id };
        await this.audit.record({ kind: 'refresh-token-repeated', accountId, ip, detail }, db);
        return this.pair(account, session, successor, now);
      }
    }
    await this.store.remove(session, db);
    await this.audit.record({ kind: 'refresh-token-reused', accountId: account.id, ip }, db);
    return 'reused';
  }

  private async issueSuccessor(
    token: ParsedRefreshToken,
    session: SessionRow,
    now: Date,
    ip: string,
    db: Queries,
  ): Promise<string> {
    const count = this.countRefresh(session);
    const salt = randomKey();
    const successor = successorOf(token, salt, session.tagKey);
    const turnsEventId = await this.recordTurn(session, ip, db);
    await this.store.extend(
      session,
      { lastUsedAt: now, expiresAt: this.expiry(now, session.createdAt), turnsEventId, ...count },
      db,
    );
    await this.store.deleteRotated(session, db);
    await this.store.markRotated(token, now, salt, db);
    await this.store.insertToken(hashOf(successor), session, db);
    return successor;
  }

  /** @throws TooManyRefreshesError if the session is over its limit */
  private countRefresh({ refreshes, refreshesFromAt }: RefreshCount): RefreshCount {
    if (this.limit === undefined) return { refreshes, refreshesFromAt };
    const counter =
      refreshesFromAt === null
        ? undefined
        : { count: refreshes, startedAt: refreshesFromAt, latestAt: refreshesFromAt };
    const next = this.limit.next(counter, new Date());
    if (typeof next === 'number') throw new TooManyRefreshesError(next);
    return { refreshes: next.count, refreshesFromAt: next.startedAt };
  }

  private recordTurn({ id, accountId, turnsEventId }: SessionRow, ip: string, db: Queries): Promise<number> {
    const event = { kind: 'session-refreshed', accountId, ip, detail: { session: id } } as const;
    return this.audit.recordRepeated(event, turnsEventId, db);
  }

  /** Returns the tokens. A refresh verifies nothing, so the sign-in is as old as the session, or older if a provider says so. */
  private pair({ id, email }: AccountRow, session: SessionRow, refreshToken: string, now: Date): TokenPair {
    const ageMs = Math.max(0, now.getTime() - session.createdAt.getTime());
    const openedAt = Date.now() - ageMs;
    const verifiedAt = session.authenticatedAt?.getTime() ?? openedAt;
    const auth_time = Math.floor(Math.min(openedAt, verifiedAt) / 1000);
    const claims = {
      sid: session.sid,
      auth_time,
      ...factorClaims(session.amr === '' ? [] : session.amr.split(' ')),
    };
    const accessToken = this.tokens.sign({ sub: id, username: email, ...claims });
    return { accessToken, refreshToken, expiresIn: this.tokens.ttlSeconds };
  }

  /** Returns the new expiry for a session in use, which is after its idle time, and at the latest when its total lifetime ends. */
  private expiry(now: Date, openedAt: Date): Date {
    const { REFRESH_TOKEN_TTL: idleSeconds, SESSION_LIFETIME: totalSeconds } = this.options.settings;
    return new Date(Math.min(now.getTime() + idleSeconds * 1000, openedAt.getTime() + totalSeconds * 1000));
  }
}

function isWithinGrace(ageMs: number): boolean {
  return ageMs >= -SKEW_MS && ageMs <= GRACE_MS;
}
