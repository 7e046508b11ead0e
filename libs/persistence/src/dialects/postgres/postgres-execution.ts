import { type Connection, type PoolClient, type Submittable, types } from 'pg';
import { type Column, type Row, type RowReader, rowReader } from '../row-reader';
import { readTimestamp } from './read-timestamp';

/** A value in the text format of the protocol. */
export type PostgresValue = string | null;

/** The result of one statement. */
export interface PostgresResult {
  readonly rows: Row[];
  /** Such as `INSERT`. */
  readonly command: string;
  /** Rows that were returned or changed. */
  readonly count: number;
}

/** The statements that are prepared on one connection, by name, with the readers of their rows. */
export type PreparedStatements = Map<string, RowReader | undefined>;

/** What is to be executed. */
export interface PostgresStatement {
  readonly text: string;
  readonly values: readonly PostgresValue[];
  /** It stays prepared under this name. */
  readonly name: string | undefined;
}

/** The number of a type. */
type TypeId = Parameters<typeof types.getTypeParser>[0];

interface Field {
  readonly name: string;
  readonly dataTypeID: TypeId;
}

/**
 * One execution of a statement, in place of `pg`'s own query object: that copies each configuration, and asks for the types
 * of the columns each time. Here a connection is asked once for each prepared statement.
 */
export class PostgresExecution implements Submittable {
  /** Called by `pg`, which wraps it. */
  callback: (error: Error | null) => void = () => {};
  private readonly statement: PostgresStatement;
  private readonly prepared: PreparedStatements;
  private read: RowReader | undefined;
  private rows: Row[] = [];
  private tag = '';
  private failure: Error | undefined;

  constructor(statement: PostgresStatement, prepared: PreparedStatements) {
    this.statement = statement;
    this.prepared = prepared;
  }

  /** @throws the untranslated error of the driver */
  run(client: PoolClient): Promise<PostgresResult> {
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve(this.result()));
      client.query(this);
    });
  }

  submit(connection: Connection): void {
    const { text, values, name } = this.statement;
    // The simple protocol: transaction control, and several statements at once.
    if (name === undefined && values.length === 0) connection.query(text);
    else this.submitExtended(connection);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.rows = [];
    this.read = rowReader(fields.map(({ name, dataTypeID }) => ({ name, read: parserOf(dataTypeID) })));
  }

  handleDataRow({ fields }: { readonly fields: readonly PostgresValue[] }): void {
    if (this.failure || !this.read) return;
    try {
      this.rows.push(this.read(fields));
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.tag = text;
    if (this.statement.name !== undefined) this.prepared.set(this.statement.name, this.read);
  }

  handleEmptyQuery(): void {}

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.failure ?? null);
  }

  private submitExtended(connection: Connection): void {
    const { name = '', values } = this.statement;
    const isPrepared = this.prepared.has(name);
    connection.stream.cork();
    if (isPrepared) this.read = this.prepared.get(name);
    else this.prepare(connection, name);
    connection.bind({ statement: name, values: [...values] }, true);
    if (!isPrepared) connection.describe({ type: 'P' }, true);
    connection.execute({}, true);
    connection.sync();
    connection.stream.uncork();
  }

  /** An earlier execution may have failed after the server had prepared it. */
  private prepare(connection: Connection, name: string): void {
    if (name !== '') connection.close({ type: 'S', name }, true);
    connection.parse({ name, text: this.statement.text, types: [] }, true);
  }

  private result(): PostgresResult {
    const [command = '', ...counts] = this.tag.split(' ');
    return { rows: this.rows, command, count: Number(counts.at(-1) ?? 0) };
  }
}

/** Text needs none. */
function parserOf(oid: TypeId): Column['read'] {
  if (oid === types.builtins.INT8) return safeInteger;
  if (oid === types.builtins.TIMESTAMPTZ) return readTimestamp;
  return oid === types.builtins.TEXT ? undefined : types.getTypeParser(oid);
}

/** `count(*)` and ids are int8. */
function safeInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a safe integer`);
  return number;
}
