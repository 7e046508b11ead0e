import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { shrinkBacklog } from '../process/node.internals';
import { ResponseList } from './response-list';

const sweepEveryMs = 50;
/** Of an iteration of the event loop; and how many are tried. */
const idleIterationMs = 0.3;
const idleAttempts = 1000;

/** What connections may take after shutdown has started. */
export interface DrainGrace {
  /** For a request that is incomplete, in milliseconds; default 5000. */
  readonly incompleteMs?: number;
  /** Called with the response to each request whose body had not arrived by then, once. */
  readonly onCut?: (response: ServerResponse) => void;
  /** For the first byte of a connection, in checks every 50 ms; default 20. Not in time, which also passes without CPU. */
  readonly silentChecks?: number;
}

/**
 * Tracks the connections of a server and its requests in flight, and closes idle connections during shutdown.
 * `server.close()` alone waits for keep-alive connections, and for connections that never sent a request.
 */
export class Connections {
  private readonly sockets = new Set<Socket>();
  /** Those that wait cost no work yet: the body has not arrived, or earlier responses are not sent. */
  private readonly unanswered = new ResponseList();
  private isCloseAnnounced = false;
  /** How many connections there have been. */
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
   * Accepts no more connections, closes idle ones, and the others after their response. A request that is still incomplete
   * after the grace period was never accepted; its connection is destroyed.
   *
   * @returns stops the periodic check; resolves when the server can be closed without losing requests that had arrived
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
   * Connections that the kernel has accepted would be reset. Node takes one in an iteration of the event loop, so an iteration is
   * awaited that had none, and that was too short for another one to arrive. The kernel accepts no more than one meanwhile.
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

  /** Waits for the first request of each connection: a proxy sends it a moment after it has connected. */
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

/** @param lastOf the last response of each connection until now */
function closeAfter(response: ServerResponse, lastOf: WeakMap<Socket, ServerResponse>): void {
  const { socket } = response.req;
  const earlier = lastOf.get(socket);
  // Another request follows it on its connection, so it is not the last one.
  if (earlier?.headersSent === false) earlier.shouldKeepAlive = true;
  response.shouldKeepAlive = false;
  lastOf.set(socket, response);
}
