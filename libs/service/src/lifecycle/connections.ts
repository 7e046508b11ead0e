import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ResponseList } from './response-list';

const sweepEveryMs = 50;
/** How long an incomplete request may take to arrive after shutdown has started. */
const incompleteRequestGraceMs = 5000;

/**
 * Tracks the connections of a server and its requests in flight, and closes idle connections during shutdown.
 * `server.close()` alone waits for keep-alive connections, and for connections that never sent a request.
 */
export class Connections {
  private readonly sockets = new Set<Socket>();
  /** Those that wait cost no work yet: the body has not arrived, or earlier responses are not sent. */
  private readonly unanswered = new ResponseList();
  private isCloseAnnounced = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    const { unanswered } = this;
    // One listener for all: a closure per request would cost more than the rest.
    function answered(this: ServerResponse): void {
      unanswered.remove(this);
    }
    server.on('request', (request, response) => {
      // The socket is assigned to a response when the responses before it have been sent.
      const isPipelined = response.socket === null;
      const isUpload = !isPipelined && hasBody(request);
      unanswered.add(response, isPipelined || isUpload);
      response.on('close', answered);
      if (isUpload) request.once('end', () => unanswered.begin(response));
    });
  }

  /**
   * The number of requests without a complete response. A request whose body has not arrived does not count, nor does a
   * pipelined one behind it: clients that send slowly must not make the program reject others.
   */
  get inFlight(): number {
    return this.unanswered.size - this.unanswered.waiting;
  }

  /** The responses to requests whose body has not arrived. */
  get uploads(): ServerResponse[] {
    return this.unanswered
      .toArray({ isWaiting: true })
      .filter(({ socket, req }) => socket !== null && !req.complete);
  }

  /** Sends `Connection: close` with each response from now on; of pipelined requests, with the last one. */
  announceClose(): void {
    if (this.isCloseAnnounced) return;
    this.isCloseAnnounced = true;
    const lastOf = new WeakMap<Socket, ServerResponse>();
    for (const response of this.unanswered.toArray()) closeAfter(response, lastOf);
    // Before all others, which may send the response at once.
    this.server.prependListener('request', (_request, response) => closeAfter(response, lastOf));
  }

  /**
   * Closes idle connections from now on, and the others after their response. A request that is still incomplete after
   * the grace period was never accepted; its connection is destroyed.
   *
   * @returns stops the periodic check; resolves when the server can be closed without losing requests that had arrived
   */
  async drain(graceMs = incompleteRequestGraceMs): Promise<() => void> {
    const startedAt = performance.now();
    this.announceClose();
    const sweep = () => this.sweep(performance.now() - startedAt >= graceMs);
    // Requests that the kernel has received are read in the next loop iteration; `server.close()` would drop them.
    await setImmediate();
    await setImmediate();
    sweep();
    const timer = setInterval(sweep, sweepEveryMs);
    return () => clearInterval(timer);
  }

  private sweep(isGraceOver: boolean): void {
    this.server.closeIdleConnections();
    const completeRequests = new Set(
      this.unanswered
        .toArray()
        .filter(({ req }) => req.complete)
        .map(({ req }) => req.socket),
    );
    for (const socket of this.sockets) {
      const sentNothing = socket.bytesRead === 0;
      if (sentNothing || (isGraceOver && !completeRequests.has(socket))) socket.destroy();
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/** @param lastOf the last response of each connection until now */
function closeAfter(response: ServerResponse, lastOf: WeakMap<Socket, ServerResponse>): void {
  const { socket } = response.req;
  const earlier = lastOf.get(socket);
  // Another request follows it on its connection, so it is not the last one.
  if (earlier?.headersSent === false) earlier.shouldKeepAlive = true;
  response.shouldKeepAlive = false;
  lastOf.set(socket, response);
}
