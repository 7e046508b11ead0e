import { type PostgresCursor, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { StoreUnavailableError } from '../../errors';
import { bindable } from '../bindable';
import { isConnectionLost, isStalePlan, translatePostgresError } from './postgres-errors';
import { type StatementNames } from './statement-names';

/** How `pg` says that no transaction is open. */
const NO_TRANSACTION = 'I';

/** One of the pool's connections while somebody has it: Kysely's queries with our checks, names and errors. */
export class PostgresConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #names: StatementNames;
  #isLost = false;

  constructor(client: PoolClient, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  /** What type the rows have is known to whoever wrote the query, and to nobody here. */
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('queries are not streamed: read a page at a time');
    return this.#run(text, parameters);
  }

  /** Gives it back to the pool, or closes it when it is of no more use. */
  release(isDiscarded = false): void {
    this.#client.release(isDiscarded || this.#isLost);
  }

  async #run(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
    const values = parameters.map(bindable);
    // A rollback, as a rule: it would wait behind the statement that never came back.
    if (this.#isLost) throw new StoreUnavailableError('the connection was lost');
    try {
      return await this.#named(text, values);
    } catch (error) {
      this.#isLost ||= isConnectionLost(error);
      throw translatePostgresError(error);
    }
  }

  async #named(text: string, values: unknown[]): Promise<QueryResult> {
    const question: QueryConfig = { text, values, name: this.#names.nameFor(text, values.length) };
    try {
      return await this.#client.query(question);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.forget(text);
      if (this.#client.getTransactionStatus() !== NO_TRANSACTION) throw error;
      return this.#client.query({ text, values });
    }
  }
}
