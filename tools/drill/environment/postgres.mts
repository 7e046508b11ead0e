import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const pollMs = 20;
const deadlineMs = 60_000;

/** Waits until the server has stopped, or accepts connections again. @throws Error after a minute */
export async function untilPostgresAccepts(url: string): Promise<void> {
  const startedAt = performance.now();
  let wasDown = false;
  while (performance.now() - startedAt < deadlineMs) {
    const answers = await doesAnswer(url);
    if (answers && wasDown) return;
    wasDown ||= !answers;
    await pause(pollMs);
  }
  throw new Error('PostgreSQL does not accept connections');
}

async function doesAnswer(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  // A connection that is closed by the server is an event, too.
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
