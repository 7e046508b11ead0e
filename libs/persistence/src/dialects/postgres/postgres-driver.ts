import { AbortedTransactionError, type Driver, type TransactionSettings } from 'kysely';
import { type PostgresConnection } from './postgres-connection';
import { type PostgresPool } from './postgres-pool';

/** Transactions on the connections of a {@link PostgresPool}. */
export class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  /** The pool connects on demand. */
  async init(): Promise<void> {}

  acquireConnection(): Promise<PostgresConnection> {
    return this.#pool.connect();
  }

  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    await connection.run(isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin');
  }

  /** @throws {AbortedTransactionError} if a statement had failed, and its error was caught */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const { command } = await connection.run('commit');
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    try {
      await connection.run('rollback');
    } catch (error) {
      connection.discard();
      throw error;
    }
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}
