import { BoundedCache } from '@app/auth';

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

/** About 300 bytes each. */
const MAX_ACCOUNTS = 10_000;

type Cached = AccountState | null | Promise<AccountState | null>;

/** A cache of account states, invalidated by the log of revocations. */
export class AccountStateCache {
  private readonly cached: BoundedCache<Cached, number>;

  constructor(
    private readonly load: (id: number) => Promise<AccountState | undefined>,
    max = MAX_ACCOUNTS,
  ) {
    this.cached = new BoundedCache(max);
  }

  /** @returns the state, or a promise of it if it must be loaded; `null` if the account does not exist */
  get(id: number): Cached {
    const cached = this.cached.get(id);
    return cached === undefined ? this.read(id) : cached;
  }

  /** Removes a changed account: later calls load it again. */
  invalidate(id: number): void {
    this.cached.delete(id);
  }

  clear(): void {
    this.cached.clear();
  }

  /** The result of a load that started before an invalidation is not cached: it may be stale. */
  private read(id: number): Promise<AccountState | null> {
    const reading = this.load(id).then(
      (state) => {
        if (this.cached.get(id) === reading) this.cached.set(id, state ?? null);
        return state ?? null;
      },
      (error: unknown) => {
        if (this.cached.get(id) === reading) this.cached.delete(id);
        throw error;
      },
    );
    this.cached.set(id, reading);
    return reading;
  }
}
