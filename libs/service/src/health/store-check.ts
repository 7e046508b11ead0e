import { type ReplicaHealth, settledWithin, type StoreHealth } from '@app/persistence';

/** The state of the store; `none` for a program without one. */
export type StoreState = StoreHealth['state'] | 'none';

const deadlineMs = 1000;
/** A check that takes longer than the deadline says nothing; the result of the last one holds for this time. */
const holdsMs = 5000;

/** What is checked. */
export interface CheckedStore {
  check(): Promise<StoreHealth>;
  readonly replicaHealth?: ReplicaHealth;
}

/** Checks whether the store responds, for health probes. */
export class StoreCheck {
  private pending: Promise<StoreState> | undefined;
  private last: { readonly state: StoreState; readonly at: number } | undefined;

  /** @param store checks itself; `undefined` if the program has none */
  constructor(private readonly store: CheckedStore | undefined) {}

  /** The state of its replica when that was last checked; `undefined` if it has none. */
  get replica(): ReplicaHealth['state'] | undefined {
    return this.store?.replicaHealth?.state;
  }

  /** Never rejects, and takes at most a second. Concurrent probes share one check. */
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
