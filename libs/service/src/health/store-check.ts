import { type ReplicaHealth, settledWithin, type StoreHealth } from '@app/persistence';

/** The store's state, or `none` for a program without a store. */
export type StoreState = StoreHealth['state'] | 'none';

const deadlineMs = 1000;
/** The time for which the last result remains valid when a check takes longer than the deadline. */
const holdsMs = 5000;

/** The store or part that is checked. */
export interface CheckedStore {
  check(): Promise<StoreHealth>;
  readonly replicaHealth?: ReplicaHealth;
}

/** Checks whether the store responds, for health probes. */
export class StoreCheck {
  private pending: Promise<StoreState> | undefined;
  private last: { readonly state: StoreState; readonly at: number } | undefined;

  /** @param store the store that is checked; `undefined` if the program has no store */
  constructor(private readonly store: CheckedStore | undefined) {}

  /** The replica's state when it was last checked, or `undefined` without a replica. */
  get replica(): ReplicaHealth['state'] | undefined {
    return this.store?.replicaHealth?.state;
  }

  /** Returns the store's state within a second, and never rejects. Concurrent probes share a check. */
  state(): Promise<StoreState> {
    const { store } = this;
    if (store === undefined) return Promise.resolve('none');
    this.pending ??= this.probe(store).finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async probe(store: CheckedStore): Promise<StoreState> {
    return (await settledWithin(deadlineMs, this.check(store))) ?? this.lastState();
  }

  private async check(store: CheckedStore): Promise<StoreState> {
    const { state } = await store.check().catch(() => ({ state: 'unavailable' as const }));
    this.last = { state, at: performance.now() };
    return state;
  }

  private lastState(): StoreState {
    return this.last && performance.now() - this.last.at < holdsMs ? this.last.state : 'unavailable';
  }
}
