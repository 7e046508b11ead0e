import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database } from './database';
import { withoutWarning } from '../dialects/postgres/ssl-mode';

/** The delay between two attempts to reconnect. */
const RECONNECT_DELAY_MS = 250;
const CONNECT_TIMEOUT_MS = 4_000;

/**
 * Runs `LISTEN` for a PostgreSQL channel on a dedicated connection, and reconnects until it succeeds if the connection is lost.
 * Notifications sent while disconnected are missed, so the callback also runs after each connect. SQLite has no notifications,
 * so the call has no effect there.
 *
 * @param channel a lower-case identifier
 * @param onNotification must handle its errors itself
 * @returns a function that stops listening and resolves when the connection is closed
 */
export function listen(db: Database, channel: string, onNotification: () => void): () => Promise<void> {
  const servers = db.servers?.map(withoutWarning);
  if (servers === undefined) return async () => {};
  const stopping = new AbortController();
  const stopped = keepListening(servers, channel, onNotification, stopping.signal);
  return async () => {
    stopping.abort();
    await stopped;
  };
}

/** Tries the next host if a standby refuses `LISTEN`. */
async function keepListening(
  servers: readonly string[],
  channel: string,
  onNotification: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const url = servers[attempt % servers.length] ?? '';
    await listenOnce(url, channel, onNotification, signal).catch(() => undefined);
    await pause(RECONNECT_DELAY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Listens on a connection, and settles when it has ended. */
async function listenOnce(
  url: string,
  channel: string,
  onNotification: () => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await client.connect();
    client.on('notification', onNotification);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onNotification();
    await ended;
  } finally {
    await client.end().catch(() => undefined);
  }
}
