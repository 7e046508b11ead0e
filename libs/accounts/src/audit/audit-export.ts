import { type Database, statement } from '@app/persistence';
import type { AuditEventRow } from './audit-event.table';
import { readDetail } from './audit-log';

/** The time range of the events to export; an absent bound is open. */
export interface ExportRange {
  /** The inclusive start. */
  readonly from?: Date;
  /** The exclusive end. */
  readonly to?: Date;
}

/** The number of events that are read at once, which bounds the memory for an export. */
const PAGE = 500;

/**
 * Exports the audit log as NDJSON, oldest first, and reads it as fast as the receiver takes it.
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
  /** The last read event's id, at the time `from`. */
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
