import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A server of `GET /metrics`. */
export interface MetricsServer {
  /** The actual port, if 0 was given. */
  readonly port: number;
  readonly close: () => void;
}

/** Serves `GET /metrics` without authentication, on a port of its own. @param port 0 picks a free one */
export async function serveMetrics(
  render: () => string | Promise<string>,
  port: number,
  host: string,
): Promise<MetricsServer> {
  const server = createServer((request, response) => void respond(request, response, render));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: address !== null && typeof address === 'object' ? address.port : port, close };
}

async function respond(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  render: () => string | Promise<string>,
): Promise<void> {
  if (url !== '/metrics' || method !== 'GET') response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': contentType }).end(await render());
}
