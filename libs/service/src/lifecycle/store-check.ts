/** The state of the store; `none` for a program without one. */
export type StoreState = 'ok' | 'unavailable' | 'none';

const deadlineMs = 1000;

/** Checks whether the store answers, for health probes. */
export class StoreCheck {
  private pending: Promise<StoreState> | undefined;

  /** @param query a cheap query; `undefined` if the program has no store */
  constructor(private readonly query: (() => Promise<unknown>) | undefined) {}

  /** Never rejects, and takes at most a second. Concurrent probes share one query. */
  state(): Promise<StoreState> {
    if (this.query === undefined) return Promise.resolve('none');
    this.pending ??= withDeadline(this.query).finally(() => (this.pending = undefined));
    return this.pending;
  }
}

function withDeadline(ask: () => Promise<unknown>): Promise<StoreState> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unavailable'), deadlineMs);
    const settle = (state: StoreState) => {
      clearTimeout(timer);
      resolve(state);
    };
    ask().then(
      () => settle('ok'),
      () => settle('unavailable'),
    );
  });
}
