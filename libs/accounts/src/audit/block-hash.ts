import { createHash } from 'node:crypto';
import type { AuditBlockRow, AuditEventRow } from '@app/persistence';

/** What a block's hash is made of, besides that of the block before. */
export type BlockContent = Pick<AuditBlockRow, 'number' | 'events' | 'digest' | 'newestAt'>;

/** The hash before the first block. */
export const firstHash = '';

/** SHA-256 of events in the order of their ids, in base64url. */
export function digestOf(events: readonly AuditEventRow[]): string {
  const digest = createHash('sha256');
  for (const event of events) digest.update(`${lineOf(event)}\n`);
  return digest.digest('base64url');
}

/** SHA-256 of a block and of the hash before, in base64url. */
export function hashOf({ number, events, digest, newestAt }: BlockContent, before: string): string {
  const text = JSON.stringify([number, events, digest, newestAt.toISOString(), before]);
  return createHash('sha256').update(text).digest('base64url');
}

/** Every column, in a fixed order, as JSON: no value can be taken for part of another. */
function lineOf({ id, kind, accountId, actorId, ip, program, detail, createdAt }: AuditEventRow): string {
  return JSON.stringify([id, kind, accountId, actorId, ip, program, detail, createdAt.toISOString()]);
}
