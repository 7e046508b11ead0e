import { type PostgresCursor, type PostgresPoolClient, type PostgresQueryResult } from 'kysely';
import { type CustomTypesConfig, type PoolClient, type QueryResult, types } from 'pg';
import { publishEnd, publishTime, storeChannels } from '../../channels';
import { StoreUnavailableError, UnknownOutcomeError } from '../../errors';
import { type Bindable } from '../bindable';
import { bindParameters } from '../bind-parameters';
import { type Row, type RowReader, rowReader } from '../row-reader';
import { isConnectionLost, isStalePlan, translatePostgresError } from './postgres-errors';
import { readTimestamp } from './read-timestamp';
import { retryConflicts } from './retry-conflicts';
import { type StatementHealth } from './statement-health';
import { type StatementNames } from './statement-names';

/** A statement's result. */
export interface PostgresResult {
  readonly rows: Row[];
  /** The SQL command, such as `INSERT`. */
  readonly command: string;
  /** The number of rows that were returned or changed. */
  readonly rowCount: number;
}

/** The context that a pool's connections share. */
export interface SessionContext {
  readonly names: StatementNames;
  readonly health: StatementHealth;
  /** The time in milliseconds for retrying a statement that is its own transaction. */
  readonly waitMs: number;
  /** The SQL that follows each `begin`, in the same round trip. */
  readonly afterBegin: string;
}

interface Statement {
  readonly text: string;
  readonly values: (string | null)[];
  /** The name under which the statement stays prepared. */
  readonly name: string | undefined;
}

/** An idle connection's transaction status, outside a transaction. */
const IDLE = 'I';
const begin = /^(?:begin|start transaction)\b/;

/** A pooled connection for Kysely that checks parameters, names prepared statements and translates errors. */
export class PostgresSession implements PostgresPoolClient {
  private readonly client: PoolClient;
  private readonly context: SessionContext;
  /** The row readers by prepared statement name. */
  private readonly readers = new Map<string, RowReader>();
  private isLost = false;

  constructor(client: PoolClient, context: SessionContext) {
    this.client = client;
    this.context = context;
  }

  /** The row type is chosen by the caller, and cannot be checked here. */
  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('queries are not streamed: read a page at a time');
    if (text === 'commit') return this.commit();
    if (text === 'rollback') return this.rollback();
    if (begin.test(text)) return this.execute(text + this.context.afterBegin);
    const run = () => this.runAlone(text, parameters);
    return storeChannels.statement.hasSubscribers
      ? publishEnd({ system: 'postgresql', sql: text }, run)
      : run();
  }

  /** Executes a statement once. */
  async execute(text: string, parameters: readonly unknown[] = []): Promise<PostgresResult> {
    const values = bindParameters(text, parameters);
    if (this.isLost) throw new StoreUnavailableError('the connection was lost');
    const { names, health } = this.context;
    try {
      const name = names.nameFor(text, values.length);
      const result = await this.send({ text, values: values.map(toText), name });
      health.noteSuccess(text);
      return result;
    } catch (error) {
      this.isLost ||= isConnectionLost(error);
      const translated = translatePostgresError(error, { sql: text, values });
      health.noteError(translated);
      throw translated;
    }
  }

  /** Marks the connection to be closed when it is released, because its state is unknown. */
  discard(): void {
    this.isLost = true;
  }

  /** Returns the connection to the pool, or closes it if it is lost. */
  release(isDiscarded = false): void {
    this.client.release(this.isLost || isDiscarded);
  }

  /** A statement in a transaction is retried with it. */
  private runAlone(text: string, parameters: readonly unknown[]): Promise<PostgresResult> {
    const run = () => this.execute(text, parameters);
    if (this.client.getTransactionStatus() !== IDLE) return run();
    const retried = () => retryConflicts(this.context.waitMs, run);
    return text.startsWith('select ') ? retried() : this.committing(retried);
  }

  private async commit(): Promise<PostgresResult> {
    const startedAt = performance.now();
    const result = await this.committing(() => this.execute('commit'));
    publishTime(storeChannels.commit, startedAt);
    return result;
  }

  /** Rolls back. A lost connection needs no rollback, because the server rolls back by itself. */
  private async rollback(): Promise<PostgresResult> {
    return this.isLost ? { rows: [], command: 'ROLLBACK', rowCount: 0 } : this.execute('rollback');
  }

  /** @throws {UnknownOutcomeError} if the connection is lost before the server responds */
  private async committing<T>(run: () => Promise<T>): Promise<T> {
    const wasLost = this.isLost;
    try {
      return await run();
    } catch (error) {
      if (this.isLost && !wasLost) throw new UnknownOutcomeError({ cause: error });
      throw error;
    }
  }

  private async send(statement: Statement): Promise<PostgresResult> {
    try {
      return await this.sendOnce(statement);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.context.names.forget(statement.text);
      if (this.client.getTransactionStatus() !== IDLE) throw error;
      return this.sendOnce({ ...statement, name: undefined });
    }
  }

  private async sendOnce(statement: Statement): Promise<PostgresResult> {
    const sent: Results = await this.client.query<unknown[]>({
      ...statement,
      rowMode: 'array',
      types: parsers,
    });
    const result = Array.isArray(sent) ? sent.at(-1) : sent;
    const { rows, fields, command, rowCount } = result ?? nothing;
    return { rows: rows.map(this.readerFor(statement.name, fields)), command, rowCount: rowCount ?? 0 };
  }

  /** A prepared statement keeps its columns. */
  private readerFor(name: string | undefined, fields: readonly { readonly name: string }[]): RowReader {
    const reader = (name !== undefined && this.readers.get(name)) || rowReader(fields);
    if (name !== undefined) this.readers.set(name, reader);
    return reader;
  }
}

type Result = Pick<QueryResult<unknown[]>, 'rows' | 'fields' | 'command' | 'rowCount'>;
/** The results. Several statements return several results, which the `pg` types omit. */
type Results = Result | Result[];

const nothing: Result = { rows: [], fields: [], command: '', rowCount: 0 };

const parsers: CustomTypesConfig = {
  getTypeParser: (oid: TypeId) => {
    if (oid === types.builtins.INT8) return safeInteger;
    return oid === types.builtins.TIMESTAMPTZ ? readTimestamp : types.getTypeParser(oid);
  },
};

/** The number of a type. */
type TypeId = Parameters<typeof types.getTypeParser>[0];

/** Parses an int8, such as an id or `count(*)`. */
function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe integer`);
  return number;
}

/** Writes a value in the protocol's text format. */
function toText(value: Bindable): string | null {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : String(value);
}
