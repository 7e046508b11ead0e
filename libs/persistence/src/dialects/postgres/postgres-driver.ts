import { AbortedTransactionError, type Driver, type TransactionSettings } from 'kysely';
import { publishTime, storeChannels } from '../../channels';
import { type PostgresConnection } from './postgres-connection';
import { type PostgresPool } from './postgres-pool';

/** Transactions on the connections of a {@link PostgresPool}. */
export class PostgresDriver implements Driver {
  private readonly pool: PostgresPool;
  private readonly afterBegin: string;

  /** @param afterBegin statements that follow each `begin`, in the same round trip */
  constructor(pool: PostgresPool, afterBegin: string) {
    this.pool = pool;
    this.afterBegin = afterBegin;
  }

  /** The pool connects on demand. */
  async init(): Promise<void> {}

  acquireConnection(): Promise<PostgresConnection> {
    return this.pool.connect();
  }

  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    const begin = isolationLevel ? `begin isolation level ${isolationLevel}` : 'begin';
    await connection.run(begin + this.afterBegin);
  }

  /** @throws {AbortedTransactionError} if a statement had failed, and its error was caught */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    const startedAt = performance.now();
    const { command } = await connection.commit();
    publishTime(storeChannels.commit, startedAt);
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.pool.end();
  }
}
