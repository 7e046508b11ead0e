import { Schema } from '@app/contract';
import { issueMembership } from '@app/persistence';
import { tenantSchema, useMigratedDatabase } from '@app/persistence/testing';
import { missingIndexes } from './missing-indexes';
import { PaginationQuery } from './pagination-query';
import { Sortable } from './sortable';
import { sortedList } from './sorted-list';

class Project {
  @Schema({ type: 'integer' }) id!: number;
  @Schema({ type: 'integer' }) rank!: number;
}

@Sortable(Project, 'rank')
class ProjectsQuery extends PaginationQuery {}

const list = sortedList((_given, db) => db.selectFrom('sampleProject').select(['id', 'rank']), {
  queries: [ProjectsQuery],
});

describe('a sorted list of a tenant table', () => {
  const store = useMigratedDatabase([tenantSchema]);

  it('needs indexes that begin with the tenant column', async () => {
    expect(await missingIndexes(store.db, ProjectsQuery)).toEqual([
      { sort: 'rank', filter: undefined, table: 'sample_project', columns: ['tenant_id', 'rank', 'id'] },
    ]);
  });

  it('reads pages of the tenant', async () => {
    const [mine, theirs] = [1, 2].map((tenantId) => store.db.for(issueMembership({ tenantId })));
    for (const [at, db] of [mine, theirs, mine].entries())
      await db?.insertInto('sampleProject').values({ id: at, title: 'a', rank: -at }).execute();
    const slice = { limit: 10, offset: 0 };
    expect(mine && (await list(mine, slice, {}))).toEqual([
      { id: 0, rank: 0 },
      { id: 2, rank: -2 },
    ]);
    expect(mine && (await list(mine, { ...slice, after: 0 }, {}))).toEqual([{ id: 2, rank: -2 }]);
  });
});
