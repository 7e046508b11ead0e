import type { AccountRow } from '@app/persistence';

/** What the access check needs to know of an account. */
export type AccountState = Pick<
  AccountRow,
  'id' | 'role' | 'emailKey' | 'emailChangedAt' | 'disabledAt' | 'tokenGeneration' | 'keptSession'
>;

/** Accounts kept in mind; some 300 bytes each. */
const MAX_ACCOUNTS = 10_000;

type Known = AccountState | null | Promise<AccountState | null>;

/**
 * How accounts stand, in memory: read from the store once, and again after the log of revocations named the account.
 * Bounded: the one unused for longest goes.
 */
export class AccountStateCache {
  private readonly known = new Map<number, Known>();

  constructor(
    private readonly load: (id: number) => Promise<AccountState | undefined>,
    private readonly max = MAX_ACCOUNTS,
  ) {}

  /** @returns the state, at once if it is known, or `null` if there is no such account */
  of(id: number): Known {
    const known = this.known.get(id);
    if (known === undefined) return this.read(id);
    this.known.delete(id);
    this.known.set(id, known);
    return known;
  }

  /** The account has changed: whoever asks from now on is told what the store says from now on. */
  forget(id: number): void {
    this.known.delete(id);
  }

  clear(): void {
    this.known.clear();
  }

  /** A reading that was under way when the account was forgotten is not kept: it may be of before. */
  private read(id: number): Promise<AccountState | null> {
    const reading = this.load(id).then(
      (state) => {
        if (this.known.get(id) === reading) this.known.set(id, state ?? null);
        return state ?? null;
      },
      (error: unknown) => {
        if (this.known.get(id) === reading) this.known.delete(id);
        throw error;
      },
    );
    this.known.set(id, reading);
    if (this.known.size > this.max) this.forgetOldest();
    return reading;
  }

  private forgetOldest(): void {
    for (const id of this.known.keys()) {
      this.known.delete(id);
      return;
    }
  }
}
