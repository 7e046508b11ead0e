import type { Slice } from '@app/paging';
import { Database, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { OrganizationMemberRow } from './organization-member.table';

/** A member as the list has it; `id` is the account's id, by which the list is ordered. */
export type ListedMember = OrganizationMemberRow & { readonly id: number; readonly email: string };

/** The queries on members. */
@Injectable()
export class MembersStore {
  constructor(private readonly db: Database) {}

  /** Returns an account's role in an organization that exists. */
  async roleOf(
    organizationId: number,
    accountId: number,
    db: Queries = this.db,
  ): Promise<string | undefined> {
    return (await roleOf.first(db, { organizationId, accountId }))?.role;
  }

  /** Returns up to `limit` members with a role. */
  withRole(
    organizationId: number,
    role: string,
    limit: number,
    db: Queries,
  ): Promise<{ accountId: number }[]> {
    const all = db.selectFrom('organizationMember').select('accountId').limit(limit);
    return all.where('organizationId', '=', organizationId).where('role', '=', role).execute();
  }

  find(organizationId: number, accountId: number, db: Queries = this.db): Promise<ListedMember | undefined> {
    return listed(db, organizationId).where('accountId', '=', accountId).executeTakeFirst();
  }

  /** Lists the members by account id. */
  list(organizationId: number, { limit, offset, after }: Slice): Promise<ListedMember[]> {
    const all = listed(this.db, organizationId).orderBy('accountId').limit(limit);
    return (after === undefined ? all.offset(offset) : all.where('accountId', '>', after)).execute();
  }

  /** Counts an account's organizations, up to `limit`. */
  async countOf(accountId: number, limit: number, db: Queries): Promise<number> {
    const all = db.selectFrom('organizationMember').select('organizationId').limit(limit);
    return (await all.where('accountId', '=', accountId).execute()).length;
  }

  async insert(member: OrganizationMemberRow, db: Queries): Promise<void> {
    await db.insertInto('organizationMember').values(member).execute();
  }

  async setRole(organizationId: number, accountId: number, role: string, db: Queries): Promise<void> {
    const change = db.updateTable('organizationMember').set({ role });
    await change.where('organizationId', '=', organizationId).where('accountId', '=', accountId).execute();
  }

  async remove(organizationId: number, accountId: number, db: Queries): Promise<void> {
    const removal = db.deleteFrom('organizationMember').where('organizationId', '=', organizationId);
    await removal.where('accountId', '=', accountId).execute();
  }
}

const roleOf = statement(({ organizationId, accountId }: { organizationId: number; accountId: number }, db) =>
  db
    .selectFrom('organizationMember')
    .innerJoin('organization', 'organization.id', 'organizationId')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null),
);

const listed = (db: Queries, organizationId: number) =>
  db
    .selectFrom('organizationMember as member')
    .innerJoin('account', 'account.id', 'accountId')
    .select(['organizationId', 'accountId', 'accountId as id', 'member.role', 'member.createdAt', 'email'])
    .where('organizationId', '=', organizationId);
