import type { Slice } from '@app/paging';
import { Database, isAmong, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { OrganizationInvitationRow } from './organization-invitation.table';

/** The members that name invitations to remove. */
type Named = Partial<Pick<OrganizationInvitationRow, 'id' | 'emailKey' | 'invitedBy'>>;

/** The queries on invitations. */
@Injectable()
export class InvitationsStore {
  constructor(private readonly db: Database) {}

  /** Lists an organization's invitations, oldest first, also expired invitations until a job deletes them. */
  list(
    organizationId: number,
    { limit, offset, after }: Slice,
    db: Queries = this.db,
  ): Promise<OrganizationInvitationRow[]> {
    const all = db.selectFrom('organizationInvitation').selectAll().orderBy('id').limit(limit);
    const own = all.where('organizationId', '=', organizationId);
    return (after === undefined ? own.offset(offset) : own.where('id', '>', after)).execute();
  }

  /** Finds an unexpired invitation by its token hash. The organization must exist. */
  findByToken(tokenHash: string, db: Queries): Promise<OrganizationInvitationRow | undefined> {
    return current(db).where('tokenHash', '=', tokenHash).executeTakeFirst();
  }

  /** Finds an e-mail's oldest unexpired invitation. */
  findByEmail(emailKey: string, db: Queries): Promise<OrganizationInvitationRow | undefined> {
    const all = current(db).where('emailKey', '=', emailKey);
    return all.orderBy('organizationInvitation.id').limit(1).executeTakeFirst();
  }

  insert(invitation: Omit<OrganizationInvitationRow, 'id'>, db: Queries): Promise<OrganizationInvitationRow> {
    return db
      .insertInto('organizationInvitation')
      .values(invitation)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /**
   * Removes an organization's invitations that have all the members.
   *
   * @returns whether there was an invitation
   */
  async remove(organizationId: number, named: Named, db: Queries): Promise<boolean> {
    const own = db.deleteFrom('organizationInvitation').where('organizationId', '=', organizationId);
    const { numDeletedRows } = await own.where((row) => row.and(named)).executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  /** Deletes invitations that expired before a time, at most `limit`, and returns their number. */
  async deleteExpired(before: Date, limit: number): Promise<number> {
    const { db } = this;
    const expired = db.selectFrom('organizationInvitation').where('expiresAt', '<', before).limit(limit);
    const { numDeletedRows } = await db
      .deleteFrom('organizationInvitation')
      .where((row) => isAmong(db, row.ref('organizationId'), expired.select('organizationId')))
      .where((row) => isAmong(db, row.ref('id'), expired.select('id')))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

const current = (db: Queries) =>
  db
    .selectFrom('organizationInvitation')
    .innerJoin('organization', 'organization.id', 'organizationId')
    .selectAll('organizationInvitation')
    .where('deletedAt', 'is', null)
    .where('expiresAt', '>', new Date());
