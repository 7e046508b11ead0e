/** An event at a time. */
interface Event {
  readonly time: number;
  /** The sequence number of the event. Events at the same time happen in the order in which they were added. */
  readonly order: number;
  readonly run: () => void;
}

/** After so many events timers and signals of the real process are served. */
const TURN_EVENTS = 100_000;

/** The events in a simulation in time order, stored in a binary heap. */
export class Events {
  /** Milliseconds since the simulation began. */
  now = 0;
  /** The number of events that have happened. */
  count = 0;
  private added = 0;
  private readonly heap: Event[] = [];
  private isStopped = false;

  /** Schedules a function after some time. */
  after(ms: number, run: () => void): void {
    this.added += 1;
    this.push({ time: this.now + Math.max(0, ms), order: this.added, run });
  }

  /** Stops the simulation before the next event. */
  stop(): void {
    this.isStopped = true;
  }

  /** Runs all events up to a time. Every promise that can settle does so between two events. */
  run(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        const [event] = this.heap;
        if (event === undefined || event.time > until || this.isStopped) {
          this.now = Math.max(this.now, this.isStopped ? this.now : until);
          return resolve();
        }
        this.take();
        this.now = event.time;
        this.count += 1;
        try {
          event.run();
        } catch (error) {
          return reject(error);
        }
        // The tick queue continues when the microtask queue is empty, so all promises have settled by then.
        if (this.count % TURN_EVENTS === 0) setImmediate(step);
        else queueMicrotask(() => process.nextTick(step));
      };
      step();
    });
  }

  private push(event: Event): void {
    const { heap } = this;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, event)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = event;
  }

  private take(): void {
    const { heap } = this;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [leftEvent, rightEvent] = [heap[left], heap[left + 1]];
      if (leftEvent === undefined) break;
      const [child, least] =
        rightEvent !== undefined && isBefore(rightEvent, leftEvent)
          ? [left + 1, rightEvent]
          : [left, leftEvent];
      if (isBefore(last, least)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(left: Event, right: Event): boolean {
  return left.time < right.time || (left.time === right.time && left.order < right.order);
}
