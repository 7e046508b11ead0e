import {
  choiceOf,
  type Membership,
  type Queries,
  SnakeCaseNames,
  type Tables,
  type TenantException,
  withCheckedConnections,
  withTenantCheck,
} from '@app/persistence';
import { type Compilable, type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { type ReplicaDialect } from './replica-dialect';

/** The queries that only read, on a replica while it is up to date. */
export class ReplicaQueries extends Kysely<Tables> implements Queries {
  private readonly dialect: ReplicaDialect;
  private readonly choice;

  constructor(dialect: ReplicaDialect, tenantExceptions?: readonly TenantException[]) {
    super({ dialect: withCheckedConnections(dialect), plugins: withTenantCheck([new SnakeCaseNames()]) });
    this.dialect = dialect;
    this.choice = choiceOf(this, tenantExceptions);
  }

  for(membership: Membership): Queries {
    return this.choice.for(membership);
  }

  acrossTenants(exception: TenantException): Queries {
    return this.choice.acrossTenants(exception);
  }

  override executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    return this.dialect.run('compile' in query ? query.compile() : query);
  }
}
