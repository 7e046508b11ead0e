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
 * Responses in the order in which they were added. Some responses wait. A response is in at most one list.
 *
 * A `Set` with members that change for each request keeps requests in memory. It copies its members to a new table every few
 * dozen changes, and each table refers to the next table. Once the first table is in V8's old generation, all later tables
 * survive until a full garbage collection, with every request that they held. A removed link refers to nothing.
 */
export class ResponseList {
  /** The link before the first response. */
  private readonly head: Link = {
    response: undefined,
    isWaiting: false,
    previous: undefined,
    next: undefined,
  };
  private last = this.head;
  private count = 0;
  private waitingCount = 0;

  /** The number of responses. */
  get size(): number {
    return this.count;
  }

  /** The number of waiting responses. */
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

  /** Ends the wait of a response. */
  begin({ [place]: link }: Listed): void {
    if (!link?.isWaiting) return;
    link.isWaiting = false;
    this.waitingCount -= 1;
  }

  /** Removes a response, if it is in the list. */
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

  /** Returns all responses, or only the waiting responses if `isWaiting` is set. */
  toArray({ isWaiting = false } = {}): ServerResponse[] {
    const responses: ServerResponse[] = [];
    for (let link = this.head.next; link; link = link.next) {
      if (link.response && (link.isWaiting || !isWaiting)) responses.push(link.response);
    }
    return responses;
  }
}
