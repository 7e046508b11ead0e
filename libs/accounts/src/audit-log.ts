import type { AuditEventRow, Database, Queries } from '@app/persistence';
import type { Slice } from '@app/paging';

/** Everything that is worth writing down. */
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

/** What happened. */
export type AuditKind = (typeof auditKinds)[number];

/** Something that has just happened. */
export interface AuditEvent {
  readonly kind: AuditKind;
  /** Whom it happened to; absent where there was no account. */
  readonly accountId?: number;
  /** Who did it, where that is somebody else. */
  readonly actorId?: number;
  readonly ip?: string;
  /** What else is worth knowing. Never a password, a token, a key, or a name that somebody typed. */
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/** Which events to read; what is absent narrows nothing. */
export interface AuditFilter {
  readonly accountId?: number;
  readonly kind?: AuditKind;
}

/** The append-only log of what happened to accounts. */
export class AuditLog {
  constructor(private readonly db: Database) {}

  /** @param db the transaction in which it happens: the event then stands if, and only if, the command does */
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

  /** Newest first; reads on behind an event with `after`. */
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
   * Forgets the oldest events, a bounded number at a time, so that nobody waits long for the store.
   *
   * @returns how many; as many as `limit` means that there may be more
   */
  async forget(before: Date, limit: number, db: Queries = this.db): Promise<number> {
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
