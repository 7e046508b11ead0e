import { type Slice, sortedList } from '@app/paging';
import { Database, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import { OrganizationsQuery } from './operators.dto';
import type { OrganizationRow } from './organization.table';

/** An organization with a member's role. */
export type OrganizationOfMember = Omit<OrganizationRow, 'deletedAt'> & { readonly role: string };

/** The queries on organizations. */
@Injectable()
export class OrganizationsStore {
  constructor(private readonly db: Database) {}

  find(id: number, accountId: number, db: Queries = this.db): Promise<OrganizationOfMember | undefined> {
    return ofMember(db, accountId).where('organization.id', '=', id).executeTakeFirst();
  }

  /** Lists an account's organizations by their ids. */
  list(accountId: number, { limit, offset, after }: Slice): Promise<OrganizationOfMember[]> {
    const all = ofMember(this.db, accountId).orderBy('organizationId').limit(limit);
    return (after === undefined ? all.offset(offset) : all.where('organizationId', '>', after)).execute();
  }

  /** Finds an organization for an operator, whether or not it is deleted. */
  findAny(id: number): Promise<OrganizationRow | undefined> {
    return this.db.selectFrom('organization').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** Lists all organizations for operators. */
  listAll(slice: Slice): Promise<OrganizationRow[]> {
    return listAll(this.db.replica, slice, {});
  }

  /**
   * Locks an organization, so that member changes happen in turn.
   *
   * @returns whether it exists
   */
  async lock(id: number, db: Queries): Promise<boolean> {
    const existing = db
      .selectFrom('organization')
      .select('id')
      .where('id', '=', id)
      .where('deletedAt', 'is', null);
    return (await existing.forNoKeyUpdate().executeTakeFirst()) !== undefined;
  }

  async insert(name: string, db: Queries): Promise<number> {
    const insert = db.insertInto('organization').values({ name, createdAt: new Date(), deletedAt: null });
    return (await insert.returning('id').executeTakeFirstOrThrow()).id;
  }

  async update(
    id: number,
    change: Partial<Pick<OrganizationRow, 'name' | 'deletedAt'>>,
    db: Queries,
  ): Promise<void> {
    await db.updateTable('organization').set(change).where('id', '=', id).execute();
  }
}

const ofMember = (db: Queries, accountId: number) =>
  db
    .selectFrom('organizationMember')
    .innerJoin('organization', 'organization.id', 'organizationId')
    .select(['organization.id', 'name', 'organization.createdAt', 'role'])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null);

const listAll = sortedList((_given, db) => db.selectFrom('organization').selectAll(), {
  queries: [OrganizationsQuery],
});
