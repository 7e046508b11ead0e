import { SnakeCaseNames, type Tables } from '@app/persistence';
import { type Compilable, type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { type ReplicaDialect } from './replica-dialect';

/** The queries that only read, on a replica while it is up to date. */
export class ReplicaQueries extends Kysely<Tables> {
  private readonly dialect: ReplicaDialect;

  constructor(dialect: ReplicaDialect) {
    super({ dialect, plugins: [new SnakeCaseNames()] });
    this.dialect = dialect;
  }

  override executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    return this.dialect.run('compile' in query ? query.compile() : query);
  }
}
