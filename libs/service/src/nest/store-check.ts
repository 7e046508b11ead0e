import type { StoreHealth } from '@app/persistence';

/** How the store does: `read-only` when it can be read and takes no writes, `none` when the program has none. */
export type StoreState = StoreHealth['state'] | 'none';

const deadlineMs = 1000;

/** Asks the store for a sign of life, for the probes of whoever runs the program. */
export class StoreCheck {
  private asked: Promise<StoreState> | undefined;

  /** @param ask asks the store how it does; `undefined` when there is no store to ask */
  constructor(private readonly ask: (() => Promise<StoreHealth>) | undefined) {}

  /** Never throws, and never waits longer than a second. Probes that come together share one question. */
  state(): Promise<StoreState> {
    if (this.ask === undefined) return Promise.resolve('none');
    this.asked ??= answerInTime(this.ask).finally(() => (this.asked = undefined));
    return this.asked;
  }
}

function answerInTime(ask: () => Promise<StoreHealth>): Promise<StoreState> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unavailable'), deadlineMs);
    const settle = (state: StoreState) => {
      clearTimeout(timer);
      resolve(state);
    };
    ask().then(
      ({ state }) => settle(state),
      () => settle('unavailable'),
    );
  });
}
