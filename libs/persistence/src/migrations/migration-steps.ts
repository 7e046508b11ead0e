import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, type QueryResult, SchemaModule } from 'kysely';
import { isAlreadyDone, isLockTimeout } from '../dialects/postgres/postgres-errors';
import { retryConflicts } from '../dialects/postgres/retry-conflicts';
import { migrationTimeouts } from '../dialects/timeouts';
import { StoreUnavailableError } from '../errors';
import { type MigrationContext } from '../schema/columns';
import { type HistoryQueries, RETRY_EVERY_MS, stepTable, TABLE_LOCK_MS } from './migration-history';

const isReading = /^\s*select\b/i;
const isOfRows = /^\s*(?:insert|update|delete|with)\b/i;

/**
 * A migration on a store that does not roll tables back: each statement is a transaction of its own, and a row counts those that have ended.
 * A run that was interrupted goes on after them. Of one statement it is not known then whether it has ended: what it creates is there if it has, or
 * what it drops is not. A statement that changes rows ends with its count, in one transaction.
 */
export class MigrationSteps implements DatabaseConnection {
  private readonly db: HistoryQueries;
  readonly owner: string;
  readonly name: string;
  /** In earlier runs; the next one may have ended too, if there were any. */
  private ended = 0;
  private isResumed = false;
  private next = 0;

  /** @param db on one connection */
  constructor(db: HistoryQueries, owner: string, name: string) {
    this.db = db;
    this.owner = owner;
    this.name = name;
  }

  /** Applies what earlier runs have left, and lists the migration then. */
  async run(
    apply: (db: MigrationContext) => Promise<void>,
    list: (db: HistoryQueries) => Promise<void>,
  ): Promise<void> {
    await this.begin();
    const executor = this.db.getExecutor().withConnectionProvider({ provideConnection: (use) => use(this) });
    await apply({ schema: new SchemaModule(executor), getExecutor: () => executor });
    await retried(() => this.db.transaction().execute((transaction) => this.end(transaction, list)));
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (isReading.test(query.sql)) return this.db.executeQuery<Row>(query);
    const number = this.next;
    this.next += 1;
    if (number < this.ended) return { rows: [] };
    return isOfRows.test(query.sql)
      ? retried(() => this.changeRows<Row>(query, number))
      : this.changeTables<Row>(query, number);
  }

  /** Not supported, as everywhere. */
  streamQuery(): AsyncIterableIterator<never> {
    throw new TypeError('queries are not streamed: read a page at a time');
  }

  private changeRows<Row>(query: CompiledQuery, number: number): Promise<QueryResult<Row>> {
    return this.db.transaction().execute(async (transaction) => {
      const result = await transaction.executeQuery<Row>(query);
      await this.record(transaction, number);
      return result;
    });
  }

  private async changeTables<Row>(query: CompiledQuery, number: number): Promise<QueryResult<Row>> {
    try {
      await this.whenFree(query);
    } catch (error) {
      const mayHaveEnded = this.isResumed && number === this.ended;
      if (!mayHaveEnded || !isAlreadyDone(error, query.sql)) throw error;
    }
    await retried(() => this.record(this.db, number));
    return { rows: [] };
  }

  /** A statement that waits for a table makes every later one wait; so it gives up, and tries again. */
  private async whenFree(query: CompiledQuery): Promise<void> {
    const deadline = performance.now() + migrationTimeouts.waitMs;
    for (;;) {
      try {
        await retried(() => this.db.executeQuery(query));
        return;
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > deadline) throw error;
      }
      await pause(RETRY_EVERY_MS);
    }
  }

  private async begin(): Promise<void> {
    const { owner, name } = this;
    await this.db.executeQuery(CompiledQuery.raw(`set lock_timeout = ${TABLE_LOCK_MS}`));
    const table = this.db.schema
      .createTable(stepTable)
      .ifNotExists()
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('ended', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('migration_step_pkey', ['owner', 'name']);
    await table.execute();
    const steps = this.db.selectFrom('migrationStep').select('ended');
    const row = await steps.where('owner', '=', owner).where('name', '=', name).executeTakeFirst();
    if (row === undefined)
      await this.db.insertInto('migrationStep').values({ owner, name, ended: 0 }).execute();
    this.isResumed = row !== undefined;
    this.ended = row?.ended ?? 0;
  }

  private async end(db: HistoryQueries, list: (db: HistoryQueries) => Promise<void>): Promise<void> {
    const { owner, name } = this;
    await list(db);
    await db.deleteFrom('migrationStep').where('owner', '=', owner).where('name', '=', name).execute();
  }

  /** @throws {StoreUnavailableError} if another program has done this step meanwhile */
  async record(db: HistoryQueries, number: number): Promise<void> {
    const { owner, name } = this;
    const { numUpdatedRows } = await db
      .updateTable('migrationStep')
      .set({ ended: number + 1 })
      .where('owner', '=', owner)
      .where('name', '=', name)
      .where('ended', '=', number)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new StoreUnavailableError('another program is migrating it');
  }
}

function retried<T>(work: () => Promise<T>): Promise<T> {
  return retryConflicts(migrationTimeouts.waitMs, work);
}
