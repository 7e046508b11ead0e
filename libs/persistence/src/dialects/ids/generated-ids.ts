import {
  ColumnNode,
  type InsertQueryNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  ValueListNode,
  ValueNode,
  ValuesNode,
  type ValuesItemNode,
} from 'kysely';
import { hasId } from '../../schema/define-table';
import { GeneratedId } from './generated-id';

/** Adds an id to each inserted row that lacks it, if its table has an `id` column. There is no identity column to generate it. */
export class GeneratedIds implements KyselyPlugin {
  private readonly transformer: OperationNodeTransformer;

  constructor(ids: { next(): number }) {
    this.transformer = new IdTransformer(new GeneratedId(ids));
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformer.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}

class IdTransformer extends OperationNodeTransformer {
  private readonly id: GeneratedId;

  constructor(id: GeneratedId) {
    super();
    this.id = id;
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, queryId);
    const { into, columns = [] } = insert;
    const isGiven = columns.some(({ column }) => column.name === 'id');
    if (into === undefined || isGiven || !hasId(into.table.identifier.name)) return insert;
    const values = ValuesNode.create(rowsOf(insert).map((row) => this.withId(row)));
    return { ...insert, columns: [...columns, ColumnNode.create('id')], values, defaultValues: false };
  }

  private withId(row: ValuesItemNode): ValuesItemNode {
    return PrimitiveValueListNode.is(row)
      ? PrimitiveValueListNode.create([...row.values, this.id])
      : ValueListNode.create([...row.values, ValueNode.create(this.id)]);
  }
}

/** @throws {TypeError} for an insert from a query, since its row count is unknown */
function rowsOf({ into, values, defaultValues }: InsertQueryNode): readonly ValuesItemNode[] {
  if (defaultValues) return [PrimitiveValueListNode.create([])];
  if (values !== undefined && ValuesNode.is(values)) return values.values;
  throw new TypeError(`a query inserts into ${into?.table.identifier.name}, and gives no ids`);
}
