import { type Compilable, type CompiledQuery, type DialectAdapter, type QueryResult } from 'kysely';
import { type Queries } from '../database/database';
import { isPlaceholder, placeholdersFor } from './placeholder';

/** A parameter of a compiled query: a constant, or a value from the caller. */
type Binding<Given> = (given: Given) => unknown;

/** A compiled query without its values. */
interface Plan<Given, Row> {
  readonly query: CompiledQuery<Row>;
  readonly bindings: readonly Binding<Given>[];
}

/** A query that is built and compiled once, and executed with new values each time. Made by {@link statement}. */
export class Statement<Given extends object, Row> {
  private readonly build: (given: Given, db: Queries) => Compilable<Row>;
  /** The plans by adapter. A {@link Database} and its transactions share an adapter. */
  private readonly plans = new WeakMap<DialectAdapter, Plan<Given, Row>>();

  constructor(build: (given: Given, db: Queries) => Compilable<Row>) {
    this.build = build;
  }

  /** Returns all rows. */
  async all(db: Queries, given: Given): Promise<Row[]> {
    return (await this.execute(db, given)).rows;
  }

  /** Returns the first row, or `undefined` if no row matches. */
  async first(db: Queries, given: Given): Promise<Row | undefined> {
    return (await this.execute(db, given)).rows[0];
  }

  /** Returns the row of a statement that always returns a row, such as an insert. */
  async one(db: Queries, given: Given): Promise<Row> {
    const row = await this.first(db, given);
    if (row === undefined) throw new TypeError('the statement returned no row');
    return row;
  }

  /** Executes a statement that changes rows, and returns the number of changed rows. */
  async count(db: Queries, given: Given): Promise<number> {
    return Number((await this.execute(db, given)).numAffectedRows);
  }

  /** Executes the statement. */
  execute(db: Queries, given: Given): Promise<QueryResult<Row>> {
    const { adapter } = db.getExecutor();
    const { query, bindings } = this.plans.get(adapter) ?? this.compile(db, adapter);
    const parameters = bindings.map((bind) => bind(given));
    return db.executeQuery({ ...query, parameters });
  }

  private compile(db: Queries, adapter: DialectAdapter): Plan<Given, Row> {
    const query = this.build(placeholdersFor(this.build), db).compile();
    const bindings = query.parameters.map((parameter): Binding<Given> =>
      isPlaceholder(parameter) ? (given) => parameter.valueIn(given) : () => parameter,
    );
    const plan = { query, bindings };
    this.plans.set(adapter, plan);
    return plan;
  }
}

/**
 * Declares a query that is compiled once per database.
 *
 * @param build the query. The members of its first argument are placeholders: the query uses them as values but cannot inspect
 *   them, so a query that depends on a value needs a separate statement
 */
export function statement<Given extends object, Row>(
  build: (given: Given, db: Queries) => Compilable<Row>,
): Statement<Given, Row> {
  return new Statement(build);
}
