import { StoreUnavailableError, type Timing } from '@app/persistence';
import type { Machine, World } from './world.mts';

/** After this a program gives up a request to the store. */
const TIMEOUT_MS = 5_000;

/** A function that serves a request on the server. It calls `answer` or `fail`, at once or later. */
export type Serve<T> = (answer: (result: T) => void, fail: (error: Error) => void) => void;

/** A single life of a program, from its start until it is killed. Its events stop with its death. */
export class Program {
  isAlive = true;
  /** The time until which the program does nothing, for example while its machine is suspended. */
  private pausedUntil = 0;
  /** A machine that was up for a while. */
  private readonly monotonicBase: number;
  readonly timing: Timing;

  constructor(
    readonly world: World,
    readonly machine: Machine,
  ) {
    this.monotonicBase = world.random.between(0, 1e6);
    this.timing = {
      wall: () => world.wallOf(machine),
      monotonic: () => this.monotonicBase + world.events.now * (1 + machine.drift),
      every: (ms, task) => this.every(ms, task),
      pause: (ms) => new Promise((resolve) => this.after(ms, resolve)),
    };
  }

  kill(): void {
    this.isAlive = false;
  }

  pauseFor(ms: number): void {
    this.pausedUntil = this.world.events.now + ms;
  }

  get isPaused(): boolean {
    return this.pausedUntil > this.world.events.now;
  }

  /** Runs something later, unless the program is killed before. */
  after(ms: number, run: () => void): void {
    const { events } = this.world;
    const runIfAlive = (): void => {
      if (!this.isAlive) return;
      if (this.isPaused) events.after(this.pausedUntil - events.now, runIfAlive);
      else run();
    };
    events.after(ms, runIfAlive);
  }

  /**
   * Sends a request to the server.
   *
   * @throws StoreUnavailableError if the request is refused or lost, or if its response is lost after the server served it
   */
  request<T>(serve: Serve<T>): Promise<T> {
    const { world, machine } = this;
    const { events, server } = world;
    const startedAt = events.now;
    return new Promise((resolve, reject) => {
      const lose = (): void =>
        this.after(startedAt + TIMEOUT_MS - events.now, () =>
          reject(new StoreUnavailableError('no response')),
        );
      const respond = (settle: () => void): void => {
        if (world.isCut(machine)) return lose();
        events.after(world.latencyOf(machine), () => {
          if (world.isCut(machine) || events.now - startedAt > TIMEOUT_MS) lose();
          else this.after(0, settle);
        });
      };
      if (world.isCut(machine)) return lose();
      events.after(world.latencyOf(machine), () => {
        if (world.isCut(machine)) return lose();
        if (!server.isUp) return respond(() => reject(new StoreUnavailableError('connection refused')));
        serve(
          (result) => respond(() => resolve(result)),
          (error) => respond(() => reject(error)),
        );
      });
    });
  }

  private every(ms: number, task: () => void): () => void {
    let isCleared = false;
    const next = (): void =>
      this.after(ms / (1 + this.machine.drift), () => {
        if (isCleared) return;
        next();
        task();
      });
    next();
    return () => void (isCleared = true);
  }
}
