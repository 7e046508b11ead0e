import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A server that answers `GET /metrics`. */
export interface MetricsServer {
  /** The actual port, if 0 was given. */
  readonly port: number;
  readonly close: () => void;
}

/** Answers `GET /metrics` to everybody, on a port of its own. @param port 0 picks a free one */
export async function serveMetrics(
  render: () => string | Promise<string>,
  port: number,
  host: string,
): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(request, response, render));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: address !== null && typeof address === 'object' ? address.port : port, close };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  render: () => string | Promise<string>,
): Promise<void> {
  if (url !== '/metrics' || method !== 'GET') response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': contentType }).end(await render());
}
