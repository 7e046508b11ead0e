import { createHash } from 'node:crypto';
import type { AuditBlockRow } from './audit-block.table';
import type { AuditEventRow } from './audit-event.table';

/** The fields that a block's hash covers, besides the hash before. */
export type BlockContent = Omit<AuditBlockRow, 'hash' | 'prunedBy'>;

/** A block with deleted events, as the deletion record has it. */
export type PrunedBlock = Pick<AuditBlockRow, 'number' | 'events' | 'hash' | 'newestAt'>;

/** The hash before the first block. */
export const firstHash = '';

/** Returns the SHA-256 digest in base64url over events in id order. */
export function digestOf(events: readonly AuditEventRow[]): string {
  const digest = createHash('sha256');
  for (const event of events) digest.update(`${lineOf(event)}\n`);
  return digest.digest('base64url');
}

/** Returns the content for a deletion record. Pass at least a single block, ordered by number. */
export function contentOfPruned(
  blocks: readonly [PrunedBlock, ...PrunedBlock[]],
): Omit<BlockContent, 'number'> {
  const digest = createHash('sha256');
  for (const { hash } of blocks) digest.update(`${hash}\n`);
  return {
    events: blocks.reduce((sum, { events }) => sum + events, 0),
    digest: digest.digest('base64url'),
    newestAt: new Date(Math.max(...blocks.map(({ newestAt }) => newestAt.getTime()))),
    prunedFrom: blocks[0].number,
    prunedTo: blocks.at(-1)?.number ?? blocks[0].number,
  };
}

/** Returns the SHA-256 in base64url over a block and the hash before. */
export function hashOf(
  { number, events, digest, newestAt, prunedFrom, prunedTo }: BlockContent,
  before: string,
): string {
  const text = JSON.stringify([number, events, digest, newestAt.toISOString(), prunedFrom, prunedTo, before]);
  return createHash('sha256').update(text).digest('base64url');
}

/** Returns every column in a fixed order. As JSON, a value's end is unambiguous. */
function lineOf({ id, kind, accountId, actorId, ip, program, detail, createdAt }: AuditEventRow): string {
  return JSON.stringify([id, kind, accountId, actorId, ip, program, detail, createdAt.toISOString()]);
}
