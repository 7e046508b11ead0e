import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { shrinkBacklog } from '../process/node.internals';
import { ResponseList } from './response-list';

const sweepEveryMs = 50;
/** The longest event loop iteration that counts as idle, and the most attempts. */
const idleIterationMs = 0.3;
const idleAttempts = 1000;

/** The limits for connections after shutdown has started. */
export interface DrainGrace {
  /** The time for an incomplete request, in milliseconds; default 5000. */
  readonly incompleteMs?: number;
  /** Called once with the response to each request that is cut because its body has not arrived. */
  readonly onCut?: (response: ServerResponse) => void;
  /** The checks, every 50 ms, for a connection's first byte; default 20. Time would also pass while the process gets no CPU. */
  readonly silentChecks?: number;
}

/**
 * Tracks the connections of a server and its requests in flight, and closes idle connections during shutdown.
 * `server.close()` alone waits for keep-alive connections, and for connections that never sent a request.
 */
export class Connections {
  private readonly sockets = new Set<Socket>();
  /** The unanswered responses. A waiting response costs no work yet, because its body or an earlier response is incomplete. */
  private readonly unanswered = new ResponseList();
  private isCloseAnnounced = false;
  /** The number of connections so far. */
  private accepted = 0;

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.accepted += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    const { unanswered } = this;
    // One listener for all: a closure per request would cost more than the rest.
    function onClose(this: ServerResponse): void {
      unanswered.remove(this);
    }
    server.on('request', (request, response) => {
      // The socket is assigned to a response when the responses before it have been sent.
      const isPipelined = response.socket === null;
      const isUpload = !isPipelined && hasBody(request);
      unanswered.add(response, isPipelined || isUpload);
      response.on('close', onClose);
      if (isUpload) request.once('end', () => unanswered.begin(response));
    });
  }

  /**
   * The number of requests that await a complete response. A request counts once its body and the requests before it have
   * arrived, so that slow clients cannot make the program reject other clients.
   */
  get inFlight(): number {
    return this.unanswered.size - this.unanswered.waiting;
  }

  /** The responses to requests with an incomplete body. */
  get uploads(): ServerResponse[] {
    return this.unanswered
      .toArray({ isWaiting: true })
      .filter(({ socket, req }) => socket !== null && !req.complete);
  }

  /** Sends `Connection: close` with each response from now on. For pipelined requests, only the last response has it. */
  announceClose(): void {
    if (this.isCloseAnnounced) return;
    this.isCloseAnnounced = true;
    const lastOf = new WeakMap<Socket, ServerResponse>();
    for (const response of this.unanswered.toArray()) closeAfter(response, lastOf);
    // Before all others, which may send the response at once.
    this.server.prependListener('request', (_request, response) => closeAfter(response, lastOf));
  }

  /**
   * Stops accepting connections, closes idle connections, and closes active connections after their response. A request that is
   * still incomplete after the grace period was never accepted, and its connection is destroyed.
   *
   * @returns stops the periodic check; resolves when the server can be closed and all requests that had arrived are safe
   */
  async drain({ incompleteMs = 5000, silentChecks = 20, onCut }: DrainGrace = {}): Promise<() => void> {
    const startedAt = performance.now();
    this.announceClose();
    await this.untilRead();
    // `close` of an HTTP server closes connections, too, whose first request is about to arrive.
    if (this.server.listening) NetServer.prototype.close.call(this.server);
    await this.untilHeard(silentChecks);
    const sweep = () => {
      const uploads = this.uploads.filter(({ req }) => !req.socket.destroyed);
      this.sweep(performance.now() - startedAt >= incompleteMs);
      if (onCut) uploads.filter(({ req }) => req.socket.destroyed).forEach((response) => onCut(response));
    };
    sweep();
    const timer = setInterval(sweep, sweepEveryMs);
    return () => clearInterval(timer);
  }

  /**
   * Reads the connections that the kernel has accepted, which would be reset otherwise. Node takes a single connection per event
   * loop iteration. The wait ends after an iteration without a connection that was too short for the next. Meanwhile the kernel
   * accepts at most 1.
   */
  private async untilRead(): Promise<void> {
    shrinkBacklog(this.server);
    await setImmediate();
    for (let attempt = 0; attempt < idleAttempts; attempt++) {
      const [startedAt, accepted] = [performance.now(), this.accepted];
      await setImmediate();
      if (this.accepted === accepted && performance.now() - startedAt < idleIterationMs) return;
    }
  }

  /** Waits for the first request on each connection, because a proxy sends it a moment after it has connected. */
  private async untilHeard(checks: number): Promise<void> {
    for (let check = 0; check < checks && [...this.sockets].some(isSilent); check++)
      await pause(sweepEveryMs);
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
      if (isSilent(socket) || (isGraceOver && !completeRequests.has(socket))) socket.destroy();
    }
  }
}

function isSilent({ bytesRead }: Socket): boolean {
  return bytesRead === 0;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/** Closes a connection after a response. @param lastOf the last response of each connection until now */
function closeAfter(response: ServerResponse, lastOf: WeakMap<Socket, ServerResponse>): void {
  const { socket } = response.req;
  const earlier = lastOf.get(socket);
  // Another request follows it on its connection, so it is not the last one.
  if (earlier?.headersSent === false) earlier.shouldKeepAlive = true;
  response.shouldKeepAlive = false;
  lastOf.set(socket, response);
}
