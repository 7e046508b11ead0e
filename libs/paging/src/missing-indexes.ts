import 'reflect-metadata';
import { type Database, readTableIndexes, type TableIndex } from '@app/persistence';
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  OperatorNode,
  type OperationNode,
  ParensNode,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectQueryNode,
  TableNode,
} from 'kysely';
import { filtersOf } from './filterable';
import { sortKeysOf } from './sortable';

const LISTS = Symbol('sluice.lists');

/** Returns the query that reads the rows of a list, for an order and a filter. */
export type ListShape = (
  db: Database,
  sort: string | undefined,
  filter: string | undefined,
) => RootOperationNode;

/** Records that callers sort and filter a list by a query class. */
export function linkList(query: Function, shape: ListShape): void {
  Reflect.defineMetadata(LISTS, [...listsOf(query), shape], query);
}

function listsOf(query: Function): readonly ListShape[] {
  const lists: readonly ListShape[] | undefined = Reflect.getOwnMetadata(LISTS, query);
  return lists ?? [];
}

/** A declared list order, alone or with a filter, that lacks an index. */
export interface MissingIndex {
  readonly sort: string | undefined;
  readonly filter: string | undefined;
  readonly table: string;
  /** The index columns, with their database names. */
  readonly columns: readonly string[];
}

/**
 * Finds the declared orders and filters in a query class for which a database would read or sort all rows. Each order is checked
 * alone and with each filter. Two filters together read the rows that match either filter alone.
 *
 * @returns `undefined` if no list uses the class
 */
export async function missingIndexes(
  db: Database,
  query: Function,
): Promise<readonly MissingIndex[] | undefined> {
  const lists = listsOf(query);
  if (lists.length === 0) return undefined;
  const sorts = [...sortKeysOf(query).values()];
  const missing: MissingIndex[] = [];
  for (const list of lists)
    for (const filter of [undefined, ...filtersOf(query)])
      for (const sort of [undefined, ...sorts]) {
        const need = needOf(list(db, sort?.name, filter));
        const indexes = await readTableIndexes(db, need.table);
        const { hasNulls = false } = sort ?? {};
        const isServed = indexes.some((index) => serves(index, need, hasNulls));
        const columns = [...need.equal, ...need.order];
        if (!isServed) missing.push({ sort: sort?.name, filter, table: need.table, columns });
      }
  return missing;
}

/** The columns that a list compares and sorts by, with their database names. */
interface Need {
  readonly table: string;
  readonly equal: readonly string[];
  /** The sorted columns, without columns that are equal in all rows. */
  readonly order: readonly string[];
}

/** Returns whether an index serves a need. Rows with null are sorted by id, so the index must include the id. */
function serves({ columns, isUnique }: TableIndex, { equal, order }: Need, hasNulls: boolean): boolean {
  if (isUnique && columns.length > 0 && columns.every((column) => equal.includes(column))) return true;
  const [head, rest] = [columns.slice(0, equal.length), columns.slice(equal.length)];
  if (!equal.every((column) => head.includes(column))) return false;
  return isStartOf(order, rest) || (isUnique && !hasNulls && isStartOf(rest, order));
}

function isStartOf(start: readonly string[], all: readonly string[]): boolean {
  return start.every((column, place) => column === all[place]);
}

/** @throws TypeError for a list from several tables */
function needOf(query: RootOperationNode): Need {
  const [from] = SelectQueryNode.is(query) ? (query.from?.froms ?? []) : [];
  if (!SelectQueryNode.is(query) || from === undefined || !TableNode.is(from))
    throw new TypeError('a list that callers sort or filter is a select from one table');
  const equal = new Set(query.where ? equalIn(query.where.where) : []);
  const order = (query.orderBy?.items ?? []).flatMap(({ orderBy }) => columnOf(orderBy));
  return {
    table: from.table.identifier.name,
    equal: [...equal],
    order: order.filter((column) => !equal.has(column)),
  };
}

/** Returns the columns that a condition compares with a single value. */
function equalIn(node: OperationNode): readonly string[] {
  if (AndNode.is(node)) return [...equalIn(node.left), ...equalIn(node.right)];
  if (ParensNode.is(node)) return equalIn(node.node);
  if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator)) return [];
  return node.operator.operator === '=' ? columnOf(node.leftOperand) : [];
}

function columnOf(node: OperationNode): readonly string[] {
  // Of `sql.ref`.
  if (RawNode.is(node)) return node.parameters.length === 1 ? node.parameters.flatMap(columnOf) : [];
  if (!ReferenceNode.is(node) || !ColumnNode.is(node.column)) return [];
  return [node.column.column.name];
}
