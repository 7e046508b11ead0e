import type { ServerResponse } from 'node:http';

const place = Symbol('place in the list');

interface Listed extends ServerResponse {
  [place]?: Link;
}

interface Link {
  readonly response: Listed | undefined;
  isWaiting: boolean;
  previous: Link | undefined;
  next: Link | undefined;
}

/**
 * Responses in the order in which they were added; some of them wait. A response is in one list at most.
 *
 * A `Set` whose members change with each request keeps requests in memory: it copies its members to a new table every few dozen
 * changes, and each table refers to the one after it. Once the first is in V8's old generation, all later ones survive
 * until a full garbage collection, and so does every request that they held. A removed link refers to nothing.
 */
export class ResponseList {
  /** Before the first response. */
  private readonly head: Link = {
    response: undefined,
    isWaiting: false,
    previous: undefined,
    next: undefined,
  };
  private last = this.head;
  private count = 0;
  private waitingCount = 0;

  /** All of them. */
  get size(): number {
    return this.count;
  }

  /** How many wait. */
  get waiting(): number {
    return this.waitingCount;
  }

  add(response: Listed, isWaiting: boolean): void {
    const link: Link = { response, isWaiting, previous: this.last, next: undefined };
    response[place] = link;
    this.last.next = link;
    this.last = link;
    this.count += 1;
    if (isWaiting) this.waitingCount += 1;
  }

  /** It does not wait any more. */
  begin({ [place]: link }: Listed): void {
    if (!link?.isWaiting) return;
    link.isWaiting = false;
    this.waitingCount -= 1;
  }

  /** Does nothing if it is not in the list. */
  remove(response: Listed): void {
    const link = response[place];
    if (link === undefined) return;
    this.begin(response);
    const { previous, next } = link;
    if (previous) previous.next = next;
    if (next) next.previous = previous;
    else if (previous) this.last = previous;
    link.previous = undefined;
    link.next = undefined;
    response[place] = undefined;
    this.count -= 1;
  }

  /** All of them; those that wait alone, if asked for. */
  toArray({ isWaiting = false } = {}): ServerResponse[] {
    const responses: ServerResponse[] = [];
    for (let link = this.head.next; link; link = link.next) {
      if (link.response && (link.isWaiting || !isWaiting)) responses.push(link.response);
    }
    return responses;
  }
}
