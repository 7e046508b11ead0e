import type { StoreHealth } from '@app/persistence';

/** The state of the store; `none` for a program without one. */
export type StoreState = StoreHealth['state'] | 'none';

const deadlineMs = 1000;

/** Checks whether the store responds, for health probes. */
export class StoreCheck {
  private pending: Promise<StoreState> | undefined;

  /** @param check queries the store; `undefined` if the program has none */
  constructor(private readonly check: (() => Promise<StoreHealth>) | undefined) {}

  /** Never rejects, and takes at most a second. Concurrent probes share one check. */
  state(): Promise<StoreState> {
    if (this.check === undefined) return Promise.resolve('none');
    this.pending ??= withDeadline(this.check).finally(() => (this.pending = undefined));
    return this.pending;
  }
}

function withDeadline(check: () => Promise<StoreHealth>): Promise<StoreState> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unavailable'), deadlineMs);
    const settle = (state: StoreState) => {
      clearTimeout(timer);
      resolve(state);
    };
    check().then(
      ({ state }) => settle(state),
      () => settle('unavailable'),
    );
  });
}
