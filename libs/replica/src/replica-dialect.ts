import { storeChannels } from '@app/persistence';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SelectQueryNode,
} from 'kysely';
import { type ReplicaReader } from './replica-reader';

type RunQuery = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/** Executes `select` on a replica, or on the primary when the replica cannot be used. */
export class ReplicaDialect implements Dialect {
  private readonly replica: ReplicaReader;
  private readonly primary: Dialect;
  private readonly runOnPrimary: RunQuery;

  constructor(replica: ReplicaReader, primary: Dialect, runOnPrimary: RunQuery) {
    this.replica = replica;
    this.primary = primary;
    this.runOnPrimary = runOnPrimary;
  }

  /** Runs a query. @throws {TypeError} for anything but a `select`, and for `sql` that Kysely has not built */
  async run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!SelectQueryNode.is(query.query)) throw new TypeError('only a select is read from a replica');
    const result = await this.replica.read<Row>(query);
    if (storeChannels.list.hasSubscribers) storeChannels.list.publish(result ? 'replica' : 'primary');
    return result ?? this.runOnPrimary<Row>(query);
  }

  createDriver(): Driver {
    return new ReplicaDriver(this);
  }

  createQueryCompiler(): QueryCompiler {
    return this.primary.createQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return this.primary.createAdapter();
  }

  createIntrospector(...[db]: Parameters<Dialect['createIntrospector']>): DatabaseIntrospector {
    return this.primary.createIntrospector(db);
  }
}

/** A driver without connections of its own, because each query finds its connection. */
class ReplicaDriver implements Driver {
  private readonly dialect: ReplicaDialect;

  constructor(dialect: ReplicaDialect) {
    this.dialect = dialect;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: (query) => this.dialect.run(query),
      streamQuery: () => {
        throw new TypeError('queries are not streamed: read a page at a time');
      },
    };
  }

  async beginTransaction(): Promise<void> {
    throw new TypeError('a transaction is on the primary: begin it on the database itself');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  /** Leaves the connections open, because the database closes them. */
  async destroy(): Promise<void> {}
}
