import { type CompiledQuery, Kysely, type QueryResult } from 'kysely';
import { type Tables } from './tables/tables';

/** A Kysely instance that also executes compiled queries without what Kysely does around them. */
export abstract class DirectQueries extends Kysely<Tables> {
  /** Executes a compiled query on a connection of its own, or in the shared transaction. */
  abstract run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
}
