import { type CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import { type Tables } from '../schema/tables';

/** Executes compiled queries without what Kysely does around them. */
export interface DirectQueries {
  /** Executes a compiled query: in the transaction, if this is one or shares one, otherwise on a connection of its own. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
}

/** Whether a handle can execute compiled queries itself. */
export function isDirect(db: Kysely<Tables>): db is Kysely<Tables> & DirectQueries {
  return 'run' in db;
}
