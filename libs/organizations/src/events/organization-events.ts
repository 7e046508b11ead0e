import { AuditLog } from '@app/accounts';
import { type Slice, sortedList } from '@app/paging';
import { Database, isAmong, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { OrganizationEventRow, organizationKinds } from './organization-event.table';

/** An event to record. */
export interface NewOrganizationEvent {
  readonly kind: (typeof organizationKinds)[number];
  readonly organizationId: number;
  /** The affected account, if the event affects an account. */
  readonly accountId?: number;
  readonly actorId: number;
  readonly ip?: string;
  readonly role?: string;
}

/** Records organization events, for members and in the audit log. */
@Injectable()
export class OrganizationEvents {
  constructor(
    private readonly db: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @param db the change's transaction */
  async record({ ip, ...event }: NewOrganizationEvent, db: Queries): Promise<void> {
    const { kind, organizationId, accountId = null, actorId, role = null } = event;
    const detail = { organizationId, ...(role !== null && { role }) };
    await this.audit.record({ kind, accountId: accountId ?? actorId, actorId, ip, detail }, db);
    const row = { kind, organizationId, accountId, actorId, role, createdAt: new Date() };
    await db.insertInto('organizationEvent').values(row).execute();
  }

  /** Lists an organization's events, newest first. */
  list(organizationId: number, slice: Slice): Promise<OrganizationEventRow[]> {
    return list(this.db.replica, slice, { organizationId });
  }

  /** Deletes events from before a time, at most `limit`, and returns their number. */
  async deleteOlder(before: Date, limit: number): Promise<number> {
    const { db } = this;
    const old = db.selectFrom('organizationEvent').where('createdAt', '<', before).limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('organizationEvent')
      .where((row) => isAmong(db, row.ref('organizationId'), old.select('organizationId')))
      .where((row) => isAmong(db, row.ref('id'), old.select('id')))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

const list = sortedList(
  ({ organizationId }: { organizationId: number }, db) =>
    db.selectFrom('organizationEvent').selectAll().where('organizationId', '=', organizationId),
  { isNewestFirst: true },
);
