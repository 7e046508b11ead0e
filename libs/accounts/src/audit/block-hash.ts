import { createHash } from 'node:crypto';
import type { AuditBlockRow } from './audit-block.table';
import type { AuditEventRow } from './audit-event.table';

/** The input of a block's hash, besides the hash of the block before. */
export type BlockContent = Omit<AuditBlockRow, 'hash' | 'prunedBy'>;

/** A block whose events were deleted, as their record has it. */
export type PrunedBlock = Pick<AuditBlockRow, 'number' | 'events' | 'hash' | 'newestAt'>;

/** The hash before the first block. */
export const firstHash = '';

/** SHA-256 of events in the order of their ids, in base64url. */
export function digestOf(events: readonly AuditEventRow[]): string {
  const digest = createHash('sha256');
  for (const event of events) digest.update(`${lineOf(event)}\n`);
  return digest.digest('base64url');
}

/** The record of the deletion of blocks, at least one, in the order of their numbers. */
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

/** SHA-256 of a block and of the hash before, in base64url. */
export function hashOf(
  { number, events, digest, newestAt, prunedFrom, prunedTo }: BlockContent,
  before: string,
): string {
  const text = JSON.stringify([number, events, digest, newestAt.toISOString(), prunedFrom, prunedTo, before]);
  return createHash('sha256').update(text).digest('base64url');
}

/** Every column, in a fixed order, as JSON: no value can be taken for part of another. */
function lineOf({ id, kind, accountId, actorId, ip, program, detail, createdAt }: AuditEventRow): string {
  return JSON.stringify([id, kind, accountId, actorId, ip, program, detail, createdAt.toISOString()]);
}
