import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

const sweepEveryMs = 50;
/** How long a request that is still being sent may take, once the program is asked to end. */
const halfSentGraceMs = 5000;

/**
 * Knows which connections of a server still owe an answer, and lets go of the others when the program ends.
 * `server.close()` alone waits for a client that keeps its connection alive, or that never asked anything.
 */
export class Connections {
  private readonly sockets = new Set<Socket>();
  private readonly unanswered = new Set<ServerResponse>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    const { unanswered } = this;
    // One listener for all: a closure for each request is the dearer half of this.
    function answered(this: ServerResponse): void {
      unanswered.delete(this);
    }
    server.on('request', (_request, response) => {
      unanswered.add(response);
      response.on('close', answered);
    });
  }

  /** How many requests wait for their answer. */
  get inFlight(): number {
    return this.unanswered.size;
  }

  /**
   * Closes idle connections from now on, and busy ones behind their answer. A request that is not wholly there
   * after the grace was never accepted, and is cut.
   *
   * @returns ends the sweeping; there once the server may be closed without cutting what had arrived
   */
  async drain(graceMs = halfSentGraceMs): Promise<() => void> {
    const startedAt = performance.now();
    this.saySo();
    const sweep = () => this.sweep(performance.now() - startedAt >= graceMs);
    // Requests that the kernel has already taken are read in the next turn; `server.close()` would cut them.
    await setImmediate();
    await setImmediate();
    sweep();
    const timer = setInterval(sweep, sweepEveryMs);
    return () => clearInterval(timer);
  }

  /** Tells each client with its answer that it was the last. Of pipelined answers, the last one says it. */
  private saySo(): void {
    const lastOf = new Map([...this.unanswered].map((response) => [response.req.socket, response]));
    for (const response of lastOf.values()) response.shouldKeepAlive = false;
  }

  private sweep(isGraceOver: boolean): void {
    this.server.closeIdleConnections();
    const answering = new Set(
      [...this.unanswered].filter(({ req }) => req.complete).map(({ req }) => req.socket),
    );
    for (const socket of this.sockets) {
      const saidNothing = socket.bytesRead === 0;
      if (saidNothing || (isGraceOver && !answering.has(socket))) socket.destroy();
    }
  }
}
