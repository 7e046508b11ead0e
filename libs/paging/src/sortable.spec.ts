import { Expose, IfGiven, Schema } from '@app/contract';
import { plainToInstance } from 'class-transformer';
import { IsInt, validateSync } from 'class-validator';
import { Filterable, filterFaultsOf, filterOf } from './filterable';
import { PaginationQuery } from './pagination-query';
import { Sortable, sortFaultsOf, sortOf } from './sortable';

class Task {
  @Schema({ type: 'integer' }) id!: number;
  @Schema({}) title!: string;
  @Schema({ type: ['string', 'null'], format: 'date-time' }) dueOn!: Date | null;
  @Schema({}) points!: number;
  @Schema({ type: 'string', format: 'decimal' }) cost!: string;
  @Expose({ to: 'admin' }) note!: string;
}

@Sortable(Task, 'title', 'dueOn')
@Filterable('projectId')
class TaskQuery extends PaginationQuery {
  @IfGiven()
  @IsInt()
  projectId?: number;
}

class OwnTaskQuery extends TaskQuery {
  override readonly sort: string = '-dueOn';
}

function sortedBy(member: keyof Task): Function {
  class Query extends PaginationQuery {}
  Sortable(Task, member)(Query);
  return Query;
}

const queryOf = (type: new () => PaginationQuery, fields: object) => plainToInstance(type, fields);

describe('a sortable list', () => {
  it('is sorted by what its query names', () => {
    expect(sortOf(queryOf(TaskQuery, { sort: 'title' }))).toMatchObject({
      name: 'title',
      isDescending: false,
    });
    expect(sortOf(queryOf(TaskQuery, { sort: '-dueOn' }))).toMatchObject({
      name: 'dueOn',
      isDescending: true,
      hasNulls: true,
    });
    expect(sortOf(queryOf(TaskQuery, {}))).toBeUndefined();
  });

  it('has the order that its class gives by default', () => {
    expect(sortOf(queryOf(OwnTaskQuery, {}))).toMatchObject({ name: 'dueOn', isDescending: true });
  });

  it('rejects any other order', () => {
    for (const sort of ['points', '', '--title', 'title,dueOn', ['title'], 7, null])
      expect(validateSync(queryOf(TaskQuery, { sort })).map(({ constraints }) => constraints)).toEqual([
        { isIn: 'sort must be one of the following values: title, -title, dueOn, -dueOn' },
      ]);
    expect(validateSync(queryOf(TaskQuery, { sort: '-title' }))).toEqual([]);
  });

  it('cannot be declared for a member of an unknown type', () => {
    expect(sortFaultsOf(sortedBy('points'))).toEqual([
      {
        problem: 'a list cannot be sorted by Task.points, whose type is not known',
        remedy: "Declare its type, such as @Schema({ type: 'integer' })",
        place: { type: Task, member: 'points' },
      },
    ]);
    expect(sortFaultsOf(TaskQuery)).toEqual([]);
  });

  it('cannot be declared for a decimal, whose text has another order', () => {
    expect(sortFaultsOf(sortedBy('cost'))).toMatchObject([
      { problem: expect.stringContaining('decimals are stored as texts, of which 10 comes before 9') },
    ]);
  });
});

describe('a member with audiences', () => {
  it('cannot sort a list, because the order would reveal it', () => {
    expect(sortFaultsOf(sortedBy('note'))).toMatchObject([
      { problem: expect.stringContaining('would reveal it') },
    ]);
  });
});

describe('a filterable list', () => {
  it('is filtered by the members that are given', () => {
    expect(filterOf(queryOf(TaskQuery, { projectId: 7, limit: '5' }))).toEqual({ projectId: 7 });
    expect(filterOf(queryOf(TaskQuery, {}))).toBeUndefined();
    expect(filterOf(queryOf(PaginationQuery, {}))).toBeUndefined();
  });

  it('cannot be declared for a member that is always rejected', () => {
    class Query {
      projectId?: number;
    }
    Filterable('projectId')(Query);
    expect(filterFaultsOf(Query).map(({ problem }) => problem)).toEqual([
      'Query.projectId has no rule, so that nobody can filter by it',
    ]);
  });
});
