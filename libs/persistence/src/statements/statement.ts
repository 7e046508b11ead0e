import { type Compilable, type CompiledQuery, type DialectAdapter, type QueryResult } from 'kysely';
import { type Queries } from '../database/database';
import { isDirect } from '../database/direct-queries';
import { type KeptQuery } from '../dialects/kept-query';
import { isPlaceholder, placeholdersFor, placeholdersOf } from './placeholder';

/** A parameter of a compiled query: a constant, or what a caller gave. */
type Binding<Given> = (given: Given) => unknown;

/** A compiled query without its values. */
interface Plan<Given> {
  readonly query: CompiledQuery;
  readonly bindings: readonly Binding<Given>[];
}

/** A query that is built and compiled once, and executed with other values each time. Made by {@link statement}. */
export class Statement<Given extends object, Row> {
  private readonly build: (given: Given, db: Queries) => Compilable<Row>;
  /** The adapter is that of one {@link Database} and its transactions. */
  private readonly plans = new WeakMap<DialectAdapter, Plan<Given>>();

  constructor(build: (given: Given, db: Queries) => Compilable<Row>) {
    this.build = build;
  }

  /** All rows. */
  async all(db: Queries, given: Given): Promise<Row[]> {
    return (await this.execute(db, given)).rows;
  }

  /** The first row, or `undefined` if there is none. */
  async first(db: Queries, given: Given): Promise<Row | undefined> {
    return (await this.execute(db, given)).rows[0];
  }

  /** The row of a statement that always returns one, such as an insert. */
  async one(db: Queries, given: Given): Promise<Row> {
    const row = await this.first(db, given);
    if (row === undefined) throw new TypeError('the statement returned no row');
    return row;
  }

  /** Executes a statement that changes rows, and returns how many it changed. */
  async count(db: Queries, given: Given): Promise<number> {
    return Number((await this.execute(db, given)).numAffectedRows);
  }

  /** Executes it. */
  execute(db: Queries, given: Given): Promise<QueryResult<Row>> {
    const { query, bindings } = this.planFor(db, given);
    const parameters = bindings.map((bind) => bind(given));
    const kept: KeptQuery = { ...query, parameters, isKept: true };
    return isDirect(db) ? db.run<Row>(kept) : db.executeQuery<Row>(kept);
  }

  protected planFor(db: Queries, _given: Given): Plan<Given> {
    const { adapter } = db.getExecutor();
    const plan = this.plans.get(adapter) ?? this.compile(db, placeholdersFor(this.build));
    this.plans.set(adapter, plan);
    return plan;
  }

  /** @param placeholders in place of the values */
  protected compile(db: Queries, placeholders: Given): Plan<Given> {
    const query = this.build(placeholders, db).compile();
    const bindings = query.parameters.map((parameter): Binding<Given> =>
      isPlaceholder(parameter) ? (given) => parameter.valueIn(given) : () => parameter,
    );
    return { query, bindings };
  }
}

/** A {@link Statement} whose query depends on which members are given: each set of them has a plan. */
class StatementByShape<Given extends object, Row> extends Statement<Given, Row> {
  private readonly plansByShape = new WeakMap<DialectAdapter, Map<string, Plan<Given>>>();

  protected override planFor(db: Queries, given: Given): Plan<Given> {
    const { adapter } = db.getExecutor();
    const plans = this.plansByShape.get(adapter) ?? new Map<string, Plan<Given>>();
    this.plansByShape.set(adapter, plans);
    const members = membersOf(given);
    const shape = members.join(' ');
    const plan = plans.get(shape) ?? this.compile(db, placeholdersOf(given, members));
    plans.set(shape, plan);
    return plan;
  }
}

function membersOf(given: object): string[] {
  return Object.keys(given).filter((member) => Reflect.get(given, member) !== undefined);
}

/**
 * Declares a query that is compiled once per database.
 *
 * @param build the query. The members of its first argument are placeholders: they are written into the query as values,
 *              and cannot be looked at, so what depends on a value is a statement of its own
 */
export function statement<Given extends object, Row>(
  build: (given: Given, db: Queries) => Compilable<Row>,
): Statement<Given, Row> {
  return new Statement(build);
}

/**
 * Like {@link statement}, for an argument with members that may be absent: the query is compiled once for each set of given
 * members. The others are `undefined` when it is built, as in an update of some columns.
 *
 * @param build the query. Its first argument may be spread; its callers choose from few sets of members
 */
export function statementByShape<Given extends object, Row>(
  build: (given: Given, db: Queries) => Compilable<Row>,
): Statement<Given, Row> {
  return new StatementByShape(build);
}
