import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Database } from './database';

/** Between two tries to connect again, in milliseconds. */
const RECONNECT_MS = 250;
const CONNECT_MS = 4_000;

/**
 * Listens to a channel of PostgreSQL on a connection of its own, and connects again, for as long as it takes, when
 * that is lost. What was said meanwhile is not repeated: the listener is called once after each connection too. On
 * SQLite, which tells nobody of anything, it does nothing.
 *
 * @param channel a plain lower-case name
 * @param onNews  something may have happened; must not throw
 * @returns ends it
 */
export function listen(db: Database, channel: string, onNews: () => void): () => Promise<void> {
  const url = db.serverUrl;
  if (url === undefined) return async () => {};
  const ending = new AbortController();
  const ended = keepListening(url, channel, onNews, ending.signal);
  return async () => {
    ending.abort();
    await ended;
  };
}

async function keepListening(
  url: string,
  channel: string,
  onNews: () => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await listenOnce(url, channel, onNews, signal).catch(() => undefined);
    await pause(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Resolves or rejects when the connection is over. */
async function listenOnce(
  url: string,
  channel: string,
  onNews: () => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const over = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await client.connect();
    client.on('notification', onNews);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    onNews();
    await over;
  } finally {
    await client.end().catch(() => undefined);
  }
}
