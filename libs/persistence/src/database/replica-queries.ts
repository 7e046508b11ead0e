import { type Compilable, type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { type FindShared, JoiningDialect } from '../dialects/joining-dialect';
import { type ReplicaDialect } from '../dialects/postgres/replica/replica-dialect';
import { SnakeCaseNames } from '../dialects/snake-case-names';
import { type Tables } from '../schema/tables';

/** Queries that only read, on a replica where that is up to date; in a shared transaction on the connection of that. */
export class ReplicaQueries extends Kysely<Tables> {
  private readonly dialect: ReplicaDialect;
  private readonly findShared: FindShared;

  constructor(dialect: ReplicaDialect, findShared: FindShared) {
    super({ dialect: new JoiningDialect(dialect, findShared), plugins: [new SnakeCaseNames()] });
    this.dialect = dialect;
    this.findShared = findShared;
  }

  override async executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    const compiled = 'compile' in query ? query.compile() : query;
    return this.findShared()?.executeQuery(compiled) ?? this.dialect.run(compiled);
  }
}
