import { type AccessClaims, BoundedCache } from '@app/auth';
import { RevocationsUnavailableError } from '../errors';
import type { Revocation } from './revocation.table';

/** The clock tolerance, for a machine up to a minute behind and a machine up to five seconds ahead. */
const SKEW_MS = 70_000;
/** The maximum time between updates, after which every token is rejected, however long tokens live. */
const MAX_STALE_SECONDS = 86_400;
/** The most cached accounts, with about 300 bytes each. */
const MAX_ACCOUNTS = 10_000;

/** The account columns that the access check needs. */
export interface AccountState {
  readonly id: number;
  readonly role: string;
  readonly emailKey: string;
  readonly emailChangedAt: Date | null;
  readonly emailVerifiedAt: Date | null;
  readonly disabledAt: Date | null;
  readonly tokenGeneration: number;
  readonly keptSession: string | null;
  readonly tokensRevokedAt: Date | null;
  readonly passwordChangeRequiredAt: Date | null;
  /** The state for tokens from trusted issuers. Only programs with trusted issuers load it. */
  readonly forIssuers?: {
    /** Whether sign-ins require a second factor. */
    readonly hasSecondFactor: boolean;
    readonly identities: LinkedIdentities;
  };
}

/** The time when each identity was linked, by a hash of issuer and subject; `null` if a token created the account. */
export type LinkedIdentities = ReadonlyMap<string, Date | null>;

/** A plugin's membership cache, which forgets what revocations name. */
export interface MembershipFollower {
  forget(subject: string): void;
  forgetAll(): void;
}

type Cached = AccountState | null | Promise<AccountState | null>;

/** The {@link RevocationCache} options. */
export interface CacheOptions {
  /** The access token lifetime. */
  readonly ttlSeconds: number;
  /** The longest lifetime among all tokens that the cache checks. Default: the access token lifetime. */
  readonly longestSeconds?: number;
  /** Returns a monotonic clock's milliseconds, so that setting the system clock drops no revocation early. */
  readonly now?: () => number;
  readonly maxAccounts?: number;
}

/** Answers access checks from memory, with unexpired revocations and recently active account states. The feed fills it. */
export class RevocationCache {
  /** The time when each id's entry is deleted, oldest first. */
  private readonly revoked = new Map<string, number>();
  private readonly accounts: BoundedCache<Cached, number>;
  private readonly followers: MembershipFollower[] = [];
  private readonly ttlSeconds: number;
  private readonly longestSeconds: number;
  private readonly now: () => number;
  private currentAt: number;
  /** The time for which a revocation matters, in milliseconds. */
  readonly keepMs: number;

  constructor(
    private readonly load: (id: number) => Promise<AccountState | undefined>,
    {
      ttlSeconds,
      longestSeconds = ttlSeconds,
      now = () => performance.now(),
      maxAccounts = MAX_ACCOUNTS,
    }: CacheOptions,
  ) {
    this.ttlSeconds = ttlSeconds;
    this.longestSeconds = longestSeconds;
    this.now = now;
    this.keepMs = longestSeconds * 1000 + SKEW_MS;
    this.currentAt = now();
    this.accounts = new BoundedCache(maxAccounts);
  }

  /** The number of revoked sessions and tokens. */
  get size(): number {
    return this.revoked.size;
  }

  /** Adds revocations; idempotent. */
  apply(revocations: readonly Revocation[]): void {
    const now = this.now();
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.forget(Number(subject));
      else if (kind === 'membership') for (const follower of this.followers) follower.forget(subject);
      else if (!this.revoked.has(subject)) this.revoked.set(subject, now + this.keepMs);
    }
    this.deleteOld(now);
  }

  /** Declares that every revocation committed before `time` has been applied. */
  markCurrent(time: number): void {
    this.currentAt = time;
    this.deleteOld(this.now());
  }

  /** Returns whether a session (`sid`) or a token (`jti`) is revoked. */
  isRevoked(id: string | undefined): boolean {
    return id !== undefined && this.revoked.has(id);
  }

  /** @throws TypeError for a token that outlives stored revocations, since its sign-in's revocation could be deleted earlier */
  assertRetained({ iat = Date.now() / 1000, exp }: Pick<AccessClaims, 'iat' | 'exp'>): void {
    if (exp - iat > this.longestSeconds)
      throw new TypeError(
        `a token lives longer than revocations are stored (${this.longestSeconds} s): give accounts() its lifetime as longestTokenSeconds`,
      );
  }

  /** @throws RevocationsUnavailableError if the last update is older than a token's lifetime, or than a day */
  assertCurrent(): void {
    const staleSeconds = Math.min(this.ttlSeconds, MAX_STALE_SECONDS);
    if (this.now() - this.currentAt > staleSeconds * 1000) throw new RevocationsUnavailableError();
  }

  /** Returns an account's state, or a promise if it must be loaded. The state is `null` if the account does not exist. */
  stateOf(id: number): Cached {
    const cached = this.accounts.get(id);
    return cached === undefined ? this.loadState(id) : cached;
  }

  /** Removes a changed account, so that later calls load it again. */
  forget(id: number): void {
    this.accounts.delete(id);
  }

  /** Removes all accounts and memberships. */
  forgetAll(): void {
    this.accounts.clear();
    for (const follower of this.followers) follower.forgetAll();
  }

  /** Adds a cache that forgets memberships with this cache. */
  addFollower(follower: MembershipFollower): void {
    this.followers.push(follower);
  }

  /** Loads an account's state. If the account is forgotten during the load, the result is not cached, because it may be stale. */
  private loadState(id: number): Promise<AccountState | null> {
    const loading = this.load(id).then(
      (state) => {
        if (this.accounts.get(id) === loading) this.accounts.set(id, state ?? null);
        return state ?? null;
      },
      (error: unknown) => {
        if (this.accounts.get(id) === loading) this.accounts.delete(id);
        throw error;
      },
    );
    this.accounts.set(id, loading);
    return loading;
  }

  private deleteOld(now: number): void {
    for (const [id, until] of this.revoked) {
      if (now <= until) return;
      this.revoked.delete(id);
    }
  }
}
