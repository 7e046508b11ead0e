import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { EnvironmentOf } from '@app/settings';
import { CannotListenError } from '../process/errors';
import type { listenSettings } from '../process/listen-settings';
import { urlsOf } from '../process/urls';
import type { metricsSettings } from './metrics-settings';

const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A server for `GET /metrics`. */
export interface MetricsServer {
  readonly url: string;
  readonly close: () => void;
}

/**
 * Serves `GET /metrics` without authentication on the configured port.
 *
 * @param render renders the metrics; a rejection is a 503
 * @returns `undefined` if the port is `off`
 * @throws CannotListenError
 */
export async function serveMetrics(
  render: () => Promise<string>,
  { METRICS_PORT: port, HOST }: EnvironmentOf<typeof metricsSettings & Pick<typeof listenSettings, 'HOST'>>,
): Promise<MetricsServer | undefined> {
  if (port === false) return undefined;
  const server = createServer(({ method, url }, response) => {
    if (url !== '/metrics' || method !== 'GET') response.writeHead(404).end();
    else void respond(response, render);
  });
  try {
    await once(server.listen(port, HOST), 'listening');
  } catch (cause) {
    throw new CannotListenError({ PORT: port, HOST, setting: 'METRICS_PORT' }, cause);
  }
  const address = server.address();
  const actualPort = address !== null && typeof address === 'object' ? address.port : port;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `${urlsOf(HOST, actualPort)[0]}/metrics`, close };
}

async function respond(response: ServerResponse, render: () => Promise<string>): Promise<void> {
  try {
    const text = await render();
    response.writeHead(200, { 'Content-Type': contentType }).end(text);
  } catch {
    response.writeHead(503).end();
  }
}
