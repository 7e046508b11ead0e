import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type CommonTableExpressionNameNode,
  type DeleteQueryNode,
  FromNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  type QueryId,
  RawNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  UsingNode,
  ValueListNode,
  ValueNode,
  type ValuesItemNode,
  ValuesNode,
  WhereNode,
} from 'kysely';
import { TenantTableError } from '../errors';
import { isSameName, type TenantTable, tenantTable, tenantTableIn } from '../schema/tenant-tables';

/** The nodes that every handle accepts, because a handle has checked them already. */
export interface CheckedNodes {
  has(node: OperationNode): boolean;
}

/** Refuses a statement on a tenant table. Parts that another handle has checked stay as they are. */
export class TenantTransformer extends OperationNodeTransformer {
  private readonly checked: CheckedNodes;

  constructor(checked: CheckedNodes) {
    super();
    this.checked = checked;
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T, queryId?: QueryId): T {
    return this.checked.has(node) ? node : super.transformNodeImpl(node, queryId);
  }

  protected override transformTable(node: TableNode, queryId?: QueryId): TableNode {
    const table = tenantTable(node.table.identifier.name);
    if (table) this.meet(table, placeIn(this.nodeStack));
    return super.transformTable(node, queryId);
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const names = node.parameters.filter(IdentifierNode.is).map(({ name }) => `"${name}"`);
    const table = tenantTableIn([node.sqlFragments.join('?'), ...names].join(' '));
    if (table) throw new TenantTableError(table, 'in the text of sql', rawRemedy(table));
    return super.transformRaw(node, queryId);
  }

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    queryId?: QueryId,
  ): CommonTableExpressionNameNode {
    const table = tenantTable(node.table.table.identifier.name);
    if (table) throw new TenantTableError(table, 'as the name in a with', 'choose a different name');
    return { ...node, columns: this.transformNodeList(node.columns, queryId) };
  }

  /** Decides on a tenant table in a statement. */
  protected meet(table: TenantTable, place: Place): void {
    if (!place.isName) throw new TenantTableError(table, place.words, unboundRemedy);
  }
}

/** Binds a statement to a tenant: each tenant table has the tenant's rows alone, and inserted rows belong to the tenant. */
export class BindingTransformer extends TenantTransformer {
  private readonly tenantId: unknown;

  constructor(checked: CheckedNodes, tenantId: unknown) {
    super(checked);
    this.tenantId = tenantId;
  }

  protected override meet(table: TenantTable, place: Place): void {
    if (!place.isName && !place.isBound)
      throw new TenantTableError(table, place.words, 'use select, insert, update or delete');
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const select = super.transformSelectQuery(node, queryId);
    if (!hasOuterRows(select)) return this.withConditions(select, select.from?.froms);
    return { ...select, from: this.ownFrom(select.from), joins: this.ownJoins(select.joins) };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const update = super.transformUpdateQuery(node, queryId);
    const targets = update.table ? [update.table] : [];
    for (const target of targets) this.keepTenant(target, update.updates);
    if (!hasOuterRows(update))
      return this.withConditions(update, [...targets, ...(update.from?.froms ?? [])]);
    const joined = { ...update, from: this.ownFrom(update.from), joins: this.ownJoins(update.joins) };
    return this.withConditions(joined, targets);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const removal = super.transformDeleteQuery(node, queryId);
    const { from, using } = removal;
    if (!hasOuterRows(removal))
      return this.withConditions(removal, [...from.froms, ...(using?.tables ?? [])]);
    const sources = using && UsingNode.create(using.tables.map((table) => this.ownRows(table)));
    const joined = { ...removal, using: sources, joins: this.ownJoins(removal.joins) };
    return this.withConditions(joined, from.froms);
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, queryId);
    const { into, onConflict } = insert;
    const table = into && tenantTable(into.table.identifier.name);
    if (!into || !table) return insert;
    if (insert.replace || insert.onDuplicateKey || insert.orAction?.action === 'replace')
      throw new TenantTableError(table, 'in a replacing insert', 'write on conflict … do update');
    const owned = this.withTenant(insert, table);
    return onConflict ? { ...owned, onConflict: this.inConflict(onConflict, into) } : owned;
  }

  /** In SQL text, `sql.table('project')` stands for the tenant's rows, and the text gives it an alias. */
  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const raw = super.transformRaw(node, queryId);
    return {
      ...raw,
      parameters: raw.parameters.map((part) => (tenantTableOf(part) ? this.rowsOf(part) : part)),
    };
  }

  /** Adds conditions: those on joined tables to the join, so that an outer join keeps its rows. */
  private withConditions<Query extends { readonly where?: WhereNode; readonly joins?: readonly JoinNode[] }>(
    query: Query,
    sources: readonly OperationNode[] = [],
  ): Query {
    const joins = query.joins?.map((join) => (hasCondition(join) ? this.joinWithCondition(join) : join));
    const unconditional = query.joins?.filter((join) => !hasCondition(join)).map(({ table }) => table) ?? [];
    const where = [...sources, ...unconditional].reduce<OperationNode | undefined>(
      (condition, source) => this.alsoOwn(condition, source),
      query.where?.where,
    );
    return { ...query, joins, where: where && WhereNode.create(where) };
  }

  private joinWithCondition(join: JoinNode): JoinNode {
    const on = this.alsoOwn(join.on?.on, join.table);
    return on ? { ...join, on: OnNode.create(on) } : join;
  }

  private ownFrom(from: FromNode | undefined): FromNode | undefined {
    return from && FromNode.create(from.froms.map((source) => this.ownRows(source)));
  }

  private ownJoins(joins: readonly JoinNode[] = []): readonly JoinNode[] {
    return joins.map((join) => ({ ...join, table: this.ownRows(join.table) }));
  }

  /** Adds a source's condition to a condition, in parentheses: SQL text may have an `or`. */
  private alsoOwn(condition: OperationNode | undefined, source: OperationNode): OperationNode | undefined {
    const own = this.conditionOn(source);
    if (!own || !condition) return own ?? condition;
    return AndNode.create(isClosed(condition) ? condition : ParensNode.create(condition), own);
  }

  /** Returns `source.tenantColumn = tenantId` for a tenant table. */
  private conditionOn(source: OperationNode): BinaryOperationNode | undefined {
    const table = tenantTableOf(source);
    if (!table) return undefined;
    const column = ReferenceNode.create(ColumnNode.create(table.column), nameOf(source, table));
    return BinaryOperationNode.create(column, OperatorNode.create('='), ValueNode.create(this.tenantId));
  }

  /** Replaces a tenant table by a subquery with the same name. */
  private ownRows(source: OperationNode): OperationNode {
    const table = tenantTableOf(source);
    if (!table) return source;
    const name = AliasNode.is(source) ? source.alias : IdentifierNode.create(table.name);
    return AliasNode.create(this.rowsOf(AliasNode.is(source) ? source.node : source), name);
  }

  private rowsOf(table: OperationNode): OperationNode {
    const all = SelectQueryNode.cloneWithSelections(SelectQueryNode.createFrom([table]), [
      SelectionNode.createSelectAll(),
    ]);
    return this.withConditions(all, [table]);
  }

  private withTenant(insert: InsertQueryNode, table: TenantTable): InsertQueryNode {
    const { columns = [], values, defaultValues } = insert;
    const at = columns.findIndex(({ column }) => isSameName(column.name, table.column));
    if (at >= 0) return this.assertTenant(insert, table, at);
    const extended = [...columns, ColumnNode.create(table.column)];
    if (defaultValues) return { ...insert, columns: extended, values: this.ownRow([]), defaultValues: false };
    if (values && ValuesNode.is(values))
      return { ...insert, columns: extended, values: this.withValue(values) };
    if (!values || columns.length === 0)
      throw new TenantTableError(table, 'in an insert from a query', 'name its columns by columns()');
    const selection = this.withSelection(values, table);
    // SQLite reads `on` after a table as a join condition.
    const where = insert.onConflict && WhereNode.create(ValueNode.createImmediate(true));
    return { ...insert, columns: extended, values: Object.freeze({ ...selection, where }) };
  }

  private assertTenant(insert: InsertQueryNode, table: TenantTable, at: number): InsertQueryNode {
    const rows = insert.values && ValuesNode.is(insert.values) ? insert.values.values : [];
    if (rows.length > 0 && rows.every((row) => valueAt(row, at) === this.tenantId)) return insert;
    throw new TenantTableError(
      table,
      `with a value for ${table.column}`,
      'leave the column out: the handle adds it',
    );
  }

  private ownRow(values: readonly unknown[]): ValuesNode {
    return ValuesNode.create([PrimitiveValueListNode.create([...values, this.tenantId])]);
  }

  private withValue({ values }: ValuesNode): ValuesNode {
    const rows = values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create([...row.values, this.tenantId])
        : ValueListNode.create([...row.values, ValueNode.create(this.tenantId)]),
    );
    return ValuesNode.create(rows);
  }

  /** Wraps the query, which may be a union, in `select "rows".*, ?`. */
  private withSelection(query: OperationNode, { column }: TenantTable): SelectQueryNode {
    const rows = IdentifierNode.create('rows');
    const source = RawNode.is(query) ? ParensNode.create(query) : query;
    return SelectQueryNode.cloneWithSelections(SelectQueryNode.createFrom([AliasNode.create(source, rows)]), [
      SelectionNode.createSelectAllFromTable(TableNode.create('rows')),
      SelectionNode.create(AliasNode.create(ValueNode.create(this.tenantId), IdentifierNode.create(column))),
    ]);
  }

  private inConflict(conflict: OnConflictNode, into: TableNode): OnConflictNode {
    if (!conflict.updates) return conflict;
    this.keepTenant(into, conflict.updates);
    const where = this.alsoOwn(conflict.updateWhere?.where, into);
    return { ...conflict, updateWhere: where && WhereNode.create(where) };
  }

  private keepTenant(target: OperationNode, updates: readonly ColumnUpdateNode[] = []): void {
    const table = tenantTableOf(target);
    if (!table) return;
    if (updates.some(({ column }) => mayChange(column, table)))
      throw new TenantTableError(
        table,
        `with a change of ${table.column}`,
        'a row stays with its tenant: insert a new row',
      );
  }
}

/** A table's place in a statement. */
interface Place {
  readonly words: string;
  /** Whether it names rows that the statement reads elsewhere, or a table that it defines. */
  readonly isName: boolean;
  /** Whether {@link BindingTransformer} adds the condition. */
  readonly isBound: boolean;
}

/** Returns the place where a path ends. */
function placeIn(path: readonly OperationNode[]): Place {
  const isAliased = path.at(-2)?.kind === 'AliasNode';
  const [place = '', owner = ''] = path
    .slice(0, isAliased ? -2 : -1)
    .map(({ kind }) => kind.replace(/Node$/, ''))
    .toReversed();
  return {
    words: `in ${placeWords.get(place === 'From' && owner === 'DeleteQuery' ? owner : place) ?? place}`,
    isName: naming.test(place),
    isBound: readers.test(owner) ? /^(?:From|Join|Using)$/.test(place) : isTarget(place, isAliased),
  };
}

function isTarget(place: string, isAliased: boolean): boolean {
  return place === 'UpdateQuery' || place === 'InsertQuery' || (place === 'Raw' && !isAliased);
}

const readers = /^(?:Select|Update|Delete)Query$/;
/** Columns, locks and functions name a source elsewhere in the statement. Schema statements read no rows. */
const naming =
  /^$|^(?:Reference|SelectModifier|Function|AggregateFunction|ForeignKeyConstraint)$|^(?:Create|Drop|Alter|Refresh|Rename|Add|References)/;
const placeWords = new Map([
  ['From', 'from'],
  ['Join', 'a join'],
  ['Using', 'using'],
  ['UpdateQuery', 'an update'],
  ['DeleteQuery', 'a delete'],
  ['InsertQuery', 'an insert'],
  ['MergeQuery', 'a merge'],
  ['Raw', 'sql'],
]);

const unboundRemedy =
  'build it on db.for(membership), or on db.acrossTenants(exception) if it concerns all tenants';

function rawRemedy({ name }: TenantTable): string {
  return `write \${sql.table('${name}')} as t on db.for(membership), or use db.acrossTenants(exception) if it concerns all tenants`;
}

function tenantTableOf(source: OperationNode): TenantTable | undefined {
  const node = AliasNode.is(source) ? source.node : source;
  return TableNode.is(node) ? tenantTable(node.table.identifier.name) : undefined;
}

/** Returns a source's name within its statement. @throws {TenantTableError} for an alias that is SQL text */
function nameOf(source: OperationNode, table: TenantTable): TableNode {
  if (TableNode.is(source)) return source;
  if (AliasNode.is(source) && IdentifierNode.is(source.alias)) return TableNode.create(source.alias.name);
  throw new TenantTableError(table, 'under an alias of sql', 'name the alias by a string');
}

/** Whether a right or full join may add rows in which the tables before it are null. */
function hasOuterRows({ joins = [] }: { readonly joins?: readonly JoinNode[] }): boolean {
  return joins.some(({ joinType }) => joinType === 'RightJoin' || joinType === 'FullJoin');
}

function hasCondition({ joinType }: JoinNode): boolean {
  return joinType === 'InnerJoin' || joinType === 'LeftJoin';
}

/** Whether a condition binds as tightly as an `and`. */
function isClosed(condition: OperationNode): boolean {
  if (AndNode.is(condition)) return isClosed(condition.left) && isClosed(condition.right);
  if (!BinaryOperationNode.is(condition)) return ParensNode.is(condition);
  const { leftOperand, rightOperand } = condition;
  return ReferenceNode.is(leftOperand) && (ReferenceNode.is(rightOperand) || ValueNode.is(rightOperand));
}

function valueAt(row: ValuesItemNode, at: number): unknown {
  if (PrimitiveValueListNode.is(row)) return row.values[at];
  const value = row.values[at];
  return value && ValueNode.is(value) ? value.value : undefined;
}

/** Whether an update may write the tenant column. SQL text may name any column. */
function mayChange(node: OperationNode, { column }: TenantTable): boolean {
  const target = ReferenceNode.is(node) ? node.column : node;
  return !ColumnNode.is(target) || isSameName(target.column.name, column);
}
