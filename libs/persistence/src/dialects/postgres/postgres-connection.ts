import { type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { type PoolClient } from 'pg';
import { publishEnd, storeChannels } from '../../channels';
import { StoreUnavailableError, UnknownOutcomeError } from '../../errors';
import { bindParameters } from '../bind-parameters';
import {
  PostgresExecution,
  type PostgresResult,
  type PostgresStatement,
  type PreparedStatements,
} from './postgres-execution';
import { isConnectionLost, isStalePlan, translatePostgresError } from './postgres-errors';
import { toPostgres } from './postgres-values';
import { retryConflicts } from './retry-conflicts';
import { type StatementNames } from './statement-names';
import { type StatementHealth } from './statement-health';

/** Transaction status of an idle connection, outside a transaction. */
const IDLE = 'I';

/** Commands whose count is the number of changed rows. */
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The statements of each connection, for as long as it is open. */
const preparedOn = new WeakMap<PoolClient, PreparedStatements>();

/** A pooled connection for Kysely that checks parameters, names prepared statements and translates errors. */
export class PostgresConnection implements DatabaseConnection {
  private readonly client: PoolClient;
  private readonly prepared: PreparedStatements;
  private readonly names: StatementNames;
  private readonly health: StatementHealth;
  private readonly waitMs: number;
  private isLost = false;

  /** @param waitMs for how long a statement is retried that is a transaction by itself */
  constructor(client: PoolClient, names: StatementNames, health: StatementHealth, waitMs: number) {
    this.client = client;
    this.prepared = preparedOn.get(client) ?? new Map();
    preparedOn.set(client, this.prepared);
    this.names = names;
    this.health = health;
    this.waitMs = waitMs;
  }

  /** The same object for each use of one connection to the server. */
  get session(): object {
    return this.client;
  }

  /** The row type is chosen by the caller, and cannot be checked here. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  async executeQuery(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { rows, command, count } = await this.observed(query);
    return { rows, numAffectedRows: changing.has(command) ? BigInt(count) : undefined };
  }

  /** Not supported: a cursor needs a transaction, which holds back the removal of dead rows. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('queries are not streamed: read a page at a time');
  }

  async run(text: string, parameters: readonly unknown[] = []): Promise<PostgresResult> {
    const values = bindParameters(text, parameters);
    // Usually a rollback, which would queue behind the statement that timed out.
    if (this.isLost) throw new StoreUnavailableError('the connection was lost');
    const name = this.names.nameFor(text, values.length);
    try {
      const result = await this.runPrepared({ text, values: values.map(toPostgres), name });
      this.health.noteSuccess(text);
      return result;
    } catch (error) {
      this.isLost ||= isConnectionLost(error);
      const translated = translatePostgresError(error, { sql: text, values });
      this.health.noteError(translated);
      throw translated;
    }
  }

  /** @throws {UnknownOutcomeError} if the connection is lost before the server responds */
  async commit(): Promise<PostgresResult> {
    return this.committing(() => this.run('commit'));
  }

  /** Does nothing on a lost connection: the server rolls back what it has begun. */
  async rollback(): Promise<void> {
    if (this.isLost) return;
    try {
      await this.run('rollback');
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** It is closed when it is released: its state is unknown. */
  discard(): void {
    this.isLost = true;
  }

  /** Returns the connection to the pool, or closes it if it is lost. */
  release(): void {
    this.client.release(this.isLost);
  }

  private observed(query: CompiledQuery): Promise<PostgresResult> {
    if (!storeChannels.statement.hasSubscribers) return this.runQuery(query);
    return publishEnd({ system: 'postgresql', sql: query.sql }, () => this.runQuery(query));
  }

  /** A statement in a transaction is retried with it. */
  private runQuery(query: CompiledQuery): Promise<PostgresResult> {
    const run = (): Promise<PostgresResult> => this.run(query.sql, query.parameters);
    if (this.client.getTransactionStatus() !== IDLE) return run();
    const retried = () => retryConflicts(this.waitMs, run);
    return isReading(query) ? retried() : this.committing(retried);
  }

  private async committing<T>(run: () => Promise<T>): Promise<T> {
    const wasLost = this.isLost;
    try {
      return await run();
    } catch (error) {
      if (this.isLost && !wasLost) throw new UnknownOutcomeError({ cause: error });
      throw error;
    }
  }

  private async runPrepared(statement: PostgresStatement): Promise<PostgresResult> {
    try {
      return await new PostgresExecution(statement, this.prepared).run(this.client);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.names.forget(statement.text);
      if (this.client.getTransactionStatus() !== IDLE) throw error;
      return new PostgresExecution({ ...statement, name: undefined }, this.prepared).run(this.client);
    }
  }
}

/** A `select` may write in its `with`. */
function isReading({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' && !('with' in query && query.with !== undefined);
}
