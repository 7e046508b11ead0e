import { type Compilable, type CompiledQuery, type DialectAdapter, type QueryResult } from 'kysely';
import { forAnyTenant, type Queries, scopeOf, tenantIdOf, tenantParameter } from '../tenants/queries';
import { type Scope, type ScopedQuery } from '../tenants/tenant-plugin';
import { isPlaceholder, placeholdersFor } from './placeholder';

/** A parameter of a compiled query: a constant, a value from the caller, or the tenant's id. */
type Binding<Given> = (parameters: Given, scope: Scope) => unknown;

/** A compiled query without its values. */
interface Plan<Given, Row> {
  readonly query: CompiledQuery<Row>;
  readonly bindings: readonly Binding<Given>[];
}

/** Compiled queries by adapter. */
class Plans<Given, Row> extends WeakMap<DialectAdapter, Plan<Given, Row>> {}

/** A query that is built and compiled once, and executed with new values each time. Made by {@link statement}. */
export class Statement<Given extends object, Row> {
  private readonly build: (parameters: Given, db: Queries) => Compilable<Row>;
  /**
   * The plans by adapter: for no tenant, for a single tenant, and for all. A `Database` and its transactions share an adapter.
   */
  private readonly plans = {
    none: new Plans<Given, Row>(),
    tenant: new Plans<Given, Row>(),
    all: new Plans<Given, Row>(),
  };

  constructor(build: (parameters: Given, db: Queries) => Compilable<Row>) {
    this.build = build;
  }

  /** Returns all rows. */
  async all(db: Queries, parameters: Given): Promise<Row[]> {
    return (await this.execute(db, parameters)).rows;
  }

  /** Returns the first row, or `undefined` if no row matches. */
  async first(db: Queries, parameters: Given): Promise<Row | undefined> {
    return (await this.execute(db, parameters)).rows[0];
  }

  /** Returns the row from a statement that always returns a row, such as an insert. */
  async one(db: Queries, parameters: Given): Promise<Row> {
    const row = await this.first(db, parameters);
    if (row === undefined) throw new TypeError('the statement returned no row');
    return row;
  }

  /** Executes a statement that changes rows, and returns the number of changed rows. */
  async count(db: Queries, parameters: Given): Promise<number> {
    return Number((await this.execute(db, parameters)).numAffectedRows);
  }

  /** Executes the statement. */
  execute(db: Queries, values: Given): Promise<QueryResult<Row>> {
    const executor = db.getExecutor();
    const scope = scopeOf(executor);
    const plans = this.plans[typeof scope === 'string' ? scope : 'tenant'];
    const { query, bindings } = plans.get(executor.adapter) ?? this.compile(db, plans);
    const parameters = bindings.map((bind) => bind(values, scope));
    const executed: ScopedQuery<Row> = { ...query, parameters, executionScope: scope };
    return db.executeQuery(executed);
  }

  private compile(db: Queries, plans: Plans<Given, Row>): Plan<Given, Row> {
    const isForTenant = plans === this.plans.tenant;
    const query = this.build(placeholdersFor(this.build), isForTenant ? forAnyTenant(db) : db).compile();
    const plan = { query, bindings: query.parameters.map(bindingOf<Given>) };
    plans.set(db.getExecutor().adapter, plan);
    return plan;
  }
}

function bindingOf<Given extends object>(parameter: unknown): Binding<Given> {
  if (isPlaceholder(parameter)) return (parameters) => parameter.valueIn(parameters);
  return parameter === tenantParameter ? (_, scope) => tenantIdOf(scope) : () => parameter;
}

/**
 * Declares a query that is compiled once per database.
 *
 * @param build the query. The members of its first argument are placeholders: the query uses them as values but cannot inspect
 *   them, so a query that depends on a value needs a separate statement
 */
export function statement<Given extends object, Row>(
  build: (parameters: Given, db: Queries) => Compilable<Row>,
): Statement<Given, Row> {
  return new Statement(build);
}
