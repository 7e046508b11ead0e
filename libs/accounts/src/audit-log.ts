import type { AuditEventRow, Database, Queries } from '@app/persistence';
import type { Slice } from '@app/paging';

/** Kinds of audit events. */
export const auditKinds = [
  'sign-in',
  'sign-in-failed',
  'session-opened',
  'session-turned',
  'session-stolen',
  'session-ended',
  'password-changed',
  'role-changed',
  'account-disabled',
  'account-enabled',
  'account-removed',
  'key-made',
  'key-used',
  'key-ended',
  'limit-hit',
] as const;

/** The kind of an event. */
export type AuditKind = (typeof auditKinds)[number];

/** An event to record. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** The affected account; absent if there was none. */
  readonly accountId?: number;
  /** The account that acted, if that is another one. */
  readonly actorId?: number;
  readonly ip?: string;
  /** Further facts. Never a password, a token, a key, or a username as entered. */
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/** Filters events; absent fields match all. */
export interface AuditFilter {
  readonly accountId?: number;
  readonly kind?: AuditKind;
}

/** The append-only audit log of accounts. */
export class AuditLog {
  constructor(private readonly db: Database) {}

  /** @param db the transaction of the change, so that both are committed or neither is */
  async record(
    { kind, accountId, actorId, ip, detail = {} }: AuditEvent,
    db: Queries = this.db,
  ): Promise<void> {
    await db
      .insertInto('auditEvent')
      .values({
        kind,
        accountId: accountId ?? null,
        actorId: actorId ?? null,
        ip: ip ?? null,
        detail: JSON.stringify(detail),
        createdAt: new Date(),
      })
      .execute();
  }

  /** Newest first; `after` continues after an event. */
  list(
    { limit, offset, after }: Slice,
    { accountId, kind }: AuditFilter = {},
    db: Queries = this.db,
  ): Promise<AuditEventRow[]> {
    let events = db.selectFrom('auditEvent').selectAll().orderBy('id', 'desc').limit(limit);
    if (accountId !== undefined) events = events.where('accountId', '=', accountId);
    if (kind !== undefined) events = events.where('kind', '=', kind);
    return (after === undefined ? events.offset(offset) : events.where('id', '<', after)).execute();
  }

  /**
   * Deletes old events, at most `limit`.
   *
   * @returns the number deleted; `limit` if there may be more
   */
  async deleteOlder(before: Date, limit: number, db: Queries = this.db): Promise<number> {
    const oldest = db
      .selectFrom('auditEvent')
      .select('id')
      .where('createdAt', '<', before)
      .orderBy('createdAt')
      .limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('auditEvent')
      .where('id', 'in', oldest)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
