import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a server. */
export interface Proxy {
  readonly url: string;
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Keeps connections open, and forwards nothing in either direction. */
  stall(): void;
  /** Stalls new connections only. */
  stallNew(): void;
}

/** @param target the server URL; the proxy URL differs in host and port */
export async function openProxy(target: URL): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()));
    if (isStalled) return;
    near.pipe(far);
    far.pipe(near);
  });
  const port = await listen(server, 0);
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async disconnect() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      if (server.listening) await once(server.close(), 'close');
    },
    async reconnect() {
      isStalled = false;
      await listen(server, port);
    },
    stallNew() {
      isStalled = true;
    },
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
