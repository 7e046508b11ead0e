import { type AccessClaims, BoundedCache } from '@app/auth';
import { RevocationsUnavailableError } from '../errors';
import type { Revocation } from './revocation.table';

/** A machine whose clock is up to a minute behind accepts a token for so much longer, and one up to five seconds ahead issues it. */
const SKEW_MS = 70_000;
/** Without an update for so long, no token is accepted, however long tokens live. */
const MAX_STALE_SECONDS = 86_400;
/** About 300 bytes each. */
const MAX_ACCOUNTS = 10_000;

/** The columns of an account that the access check needs. */
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
  /** Loaded in a program with trusted issuers. */
  readonly forIssuers?: {
    /** Whether sign-ins require a second factor. */
    readonly hasSecondFactor: boolean;
    readonly identities: LinkedIdentities;
  };
}

/** When identities were linked, by a hash of the issuer and the subject; `null` if a token created the account. */
export type LinkedIdentities = ReadonlyMap<string, Date | null>;

type Cached = AccountState | null | Promise<AccountState | null>;

/** How a cache keeps what it has. */
export interface CacheOptions {
  /** The lifetime of access tokens. */
  readonly ttlSeconds: number;
  /** The longest lifetime of other tokens that are checked by it; default that of access tokens. */
  readonly longestSeconds?: number;
  /** Milliseconds of a monotonic clock: setting the system clock drops no revocation early. */
  readonly now?: () => number;
  readonly maxAccounts?: number;
}

/**
 * Answers access checks from the memory of this process: the revocations whose tokens have not expired, and the states of accounts that
 * called lately. The feed fills it.
 */
export class RevocationCache {
  /** When the entry of each id is deleted, the oldest first. */
  private readonly revoked = new Map<string, number>();
  private readonly accounts: BoundedCache<Cached, number>;
  private readonly ttlSeconds: number;
  private readonly longestSeconds: number;
  private readonly now: () => number;
  private currentAt: number;
  /** How long a revocation matters. */
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

  /** Number of revoked sessions and tokens. */
  get size(): number {
    return this.revoked.size;
  }

  /** Adds revocations; idempotent. */
  apply(revocations: readonly Revocation[]): void {
    const now = this.now();
    for (const { kind, subject } of revocations) {
      if (kind === 'account') this.forget(Number(subject));
      else if (!this.revoked.has(subject)) this.revoked.set(subject, now + this.keepMs);
    }
    this.deleteOld(now);
  }

  /** Declares that every revocation committed before `time` has been applied. */
  markCurrent(time: number): void {
    this.currentAt = time;
    this.deleteOld(this.now());
  }

  /** Whether a session (`sid`) or a token (`jti`) is revoked. */
  isRevoked(id: string | undefined): boolean {
    return id !== undefined && this.revoked.has(id);
  }

  /** @throws TypeError for a token that lives longer than revocations are stored: the one of its sign-in could be deleted before it expires */
  assertRetained({ iat = Date.now() / 1000, exp }: Pick<AccessClaims, 'iat' | 'exp'>): void {
    if (exp - iat > this.longestSeconds)
      throw new TypeError(
        `a token lives longer than revocations are stored (${this.longestSeconds} s): give accounts() its lifetime as longestTokenSeconds`,
      );
  }

  /** @throws RevocationsUnavailableError if the last update is older than the lifetime of a token, or than a day */
  assertCurrent(): void {
    const staleSeconds = Math.min(this.ttlSeconds, MAX_STALE_SECONDS);
    if (this.now() - this.currentAt > staleSeconds * 1000) throw new RevocationsUnavailableError();
  }

  /** Returns the state of an account, or a promise of it if it must be loaded; `null` if the account does not exist. */
  stateOf(id: number): Cached {
    const cached = this.accounts.get(id);
    return cached === undefined ? this.loadState(id) : cached;
  }

  /** Removes a changed account: later calls load it again. */
  forget(id: number): void {
    this.accounts.delete(id);
  }

  /** Removes all accounts. */
  forgetAll(): void {
    this.accounts.clear();
  }

  /** The result of a load that started before the account was forgotten is not cached: it may be stale. */
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
