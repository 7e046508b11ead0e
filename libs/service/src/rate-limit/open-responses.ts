import type { ServerResponse } from 'node:http';
import { accountOf } from './caller-of';
import { ResponsesExhaustedError, TooManyOpenResponsesError } from './errors';
import type { Admission } from './admission';

/** A response with a file that is still being sent. */
interface OpenResponse {
  readonly caller: string;
  readonly response: ServerResponse;
  readonly since: number;
  /** The bytes that its connection had sent before. */
  readonly sentBefore: number;
}

/** A younger response is never ended to make room. */
const graceMs = 1000;

/**
 * Bounds the responses with files that are underway, for each caller and in total. Each response holds a descriptor, and bytes
 * that wait for its client. If there are too many in total, the slowest response is ended.
 */
export class OpenResponses {
  private readonly open = new Set<OpenResponse>();
  private readonly byCaller = new Map<string, number>();

  /** @param now milliseconds since any time */
  constructor(
    private readonly perCaller = 32,
    private readonly inTotal = 256,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Runs the other admission first, then counts the request until its response is sent. */
  admissionAfter(first: Admission | undefined): Admission {
    return (request, reply) => {
      first?.(request, reply);
      this.add(accountOf(request), reply.raw);
    };
  }

  /** Adds a response, and makes room if necessary. @throws TooManyOpenResponsesError, ResponsesExhaustedError */
  private add(caller: string, response: ServerResponse): void {
    const count = this.byCaller.get(caller) ?? 0;
    if (count >= this.perCaller) throw new TooManyOpenResponsesError();
    if (this.open.size >= this.inTotal) this.endSlowest();
    const entry = { caller, response, since: this.now(), sentBefore: sentBytes(response) };
    this.open.add(entry);
    this.byCaller.set(caller, count + 1);
    response.once('close', () => this.remove(entry));
  }

  private endSlowest(): void {
    const now = this.now();
    const rateOf = (entry: OpenResponse) =>
      (sentBytes(entry.response) - entry.sentBefore) / (now - entry.since);
    const endable = [...this.open].filter(({ since }) => now - since > graceMs);
    const [slowest] = endable.toSorted((left, right) => rateOf(left) - rateOf(right));
    if (slowest === undefined) throw new ResponsesExhaustedError();
    this.remove(slowest);
    slowest.response.req.socket.destroy();
  }

  private remove(entry: OpenResponse): void {
    if (!this.open.delete(entry)) return;
    const count = this.byCaller.get(entry.caller) ?? 1;
    if (count === 1) this.byCaller.delete(entry.caller);
    else this.byCaller.set(entry.caller, count - 1);
  }
}

/** Returns the bytes that a connection has sent, excluding bytes that wait for its client. */
function sentBytes({ req: { socket } }: ServerResponse): number {
  return socket.bytesWritten - socket.writableLength;
}
