import { type PostgresCursor, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { StoreUnavailableError } from '../../errors';
import { bindParameters } from '../bind-parameters';
import { isConnectionLost, isStalePlan, translatePostgresError } from './postgres-errors';
import { type StatementNames } from './statement-names';
import { type WriteHealth } from './write-health';

/** Transaction status of an idle connection, outside a transaction. */
const IDLE = 'I';

/** A pooled connection for Kysely that checks parameters, names prepared statements and translates errors. */
export class PostgresConnection implements PostgresPoolClient {
  readonly #client: PoolClient;
  readonly #names: StatementNames;
  readonly #writes: WriteHealth;
  #isLost = false;

  constructor(client: PoolClient, names: StatementNames, writes: WriteHealth) {
    this.#client = client;
    this.#names = names;
    this.#writes = writes;
  }

  /** The row type is chosen by the caller, and cannot be checked here. */
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('queries are not streamed: read a page at a time');
    return this.#run(text, parameters);
  }

  /** Returns the connection to the pool, or closes it if it is lost. */
  release(isDiscarded = false): void {
    this.#client.release(isDiscarded || this.#isLost);
  }

  async #run(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
    const values = bindParameters(text, parameters);
    // Usually a rollback, which would queue behind the statement that timed out.
    if (this.#isLost) throw new StoreUnavailableError('the connection was lost');
    try {
      const result = await this.#queryPrepared(text, values);
      this.#writes.noteSuccess(text);
      return result;
    } catch (error) {
      this.#isLost ||= isConnectionLost(error);
      const translated = translatePostgresError(error, { sql: text, values });
      this.#writes.noteError(translated);
      throw translated;
    }
  }

  async #queryPrepared(text: string, values: unknown[]): Promise<QueryResult> {
    const query: QueryConfig = { text, values, name: this.#names.nameFor(text, values.length) };
    try {
      return await this.#client.query(query);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.forget(text);
      if (this.#client.getTransactionStatus() !== IDLE) throw error;
      return this.#client.query({ text, values });
    }
  }
}
