import { createSecretKey } from 'node:crypto';
import type { Database, Queries } from '@app/persistence';
import { Outbox } from '../src/outbox/outbox';

const key = createSecretKey(Buffer.alloc(32, 'a key of tests'));

/** An outbox as every program on a database has it. */
export function makeOutbox(db: Database, claimMs?: number): Outbox {
  return new Outbox(db, [key], 'example.com', claimMs);
}

/** Adds a mail, by default to Ada, that is good for half an hour. */
export async function addMail(
  db: Database,
  {
    recipient = 'ada@example.com',
    cause = 'address:192.0.2.1',
    subject = 'Your link',
    goodForMs = 1_800_000,
  } = {},
  queries: Queries = db,
): Promise<number> {
  const text = 'Open https://example.com/#token=secret';
  return makeOutbox(db).add(
    { kind: 'password-reset', recipient, cause, subject, text, html: `<p>${text}</p>`, goodForMs },
    queries,
  );
}
