import { createSecretKey } from 'node:crypto';
import type { Database } from '@app/persistence';
import { Outbox } from '../src/outbox';

const key = createSecretKey(Buffer.alloc(32, 'a key of tests'));

/** An outbox as every program on a database has it. */
export function makeOutbox(db: Database, claimMs?: number): Outbox {
  return new Outbox(db, [key], 'example.com', claimMs);
}

/** Adds a mail, by default to Ada, that is good for half an hour. */
export async function addMail(
  db: Database,
  { recipient = 'ada@example.com', subject = 'Your link', goodForMs = 1_800_000 } = {},
): Promise<number> {
  const text = 'Open https://example.com/#token=secret';
  return makeOutbox(db).add(
    { kind: 'password-reset', recipient, subject, text, html: `<p>${text}</p>`, goodForMs },
    db,
  );
}
