import { type Database, statement } from '@app/persistence';
import type { AuditEventRow } from './audit-event.table';
import { readDetail } from './audit-log';

/** The events to export; an absent bound is open. */
export interface ExportRange {
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
}

/** Events that are read at once: the memory of an export, whatever its size. */
const PAGE = 500;

/**
 * The audit log as NDJSON, oldest first, read as fast as the receiver takes it.
 *
 * @returns chunks of complete lines
 */
export async function* exportAudit(
  db: Database,
  { from = new Date(0), to = new Date() }: ExportRange,
): AsyncGenerator<string> {
  let place = { from, id: 0 };
  for (;;) {
    const rows = await nextEvents.all(db, { ...place, to, limit: PAGE });
    if (rows.length > 0) yield rows.map(lineOf).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    place = { from: last.createdAt, id: last.id };
  }
}

function lineOf(event: AuditEventRow): string {
  return `${JSON.stringify({ ...event, detail: readDetail(event) })}\n`;
}

interface Place {
  readonly from: Date;
  /** Of the last event that was read, at the time `from`. */
  readonly id: number;
}

const nextEvents = statement(({ from, id, to, limit }: Place & { to: Date; limit: number }, db) =>
  db
    .selectFrom('auditEvent')
    .selectAll()
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .where((event) => event.or([event('createdAt', '>', from), event('id', '>', id)]))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit),
);
