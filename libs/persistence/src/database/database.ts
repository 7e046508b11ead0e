import {
  type Compilable,
  type CompiledQuery,
  type ConnectionBuilder,
  type DatabaseIntrospector,
  Kysely,
  type QueryResult,
} from 'kysely';
import { type DatabaseLocation, databaseUrlProblem, readDatabaseUrl } from '../dialects/database-url';
import { GeneratedIds } from '../dialects/ids/generated-ids';
import { TimeIds } from '../dialects/ids/time-ids';
import { PooledPostgresDialect } from '../dialects/postgres/postgres-dialect';
import { ConflictRetries } from '../dialects/postgres/retry-conflicts';
import { SqliteDialect } from '../dialects/sqlite/sqlite-dialect';
import { SnakeCaseNames } from '../dialects/snake-case-names';
import { type CheckedDialect, type StoreHealth, unavailable } from '../dialects/store-health';
import { type Replica, type ReplicaHealth, type Connecting, defaultConnecting } from '../dialects/connecting';
import { migrationTimeouts } from '../dialects/timeouts';
import { withConnections } from '../dialects/with-connections';
import { StoreUnavailableError } from '../errors';
import { type Tables } from '../schema/tables';
import { type Membership } from '../tenants/membership';
import { choiceOf, type Queries, type TenantChoice, withChoice } from '../tenants/queries';
import { type TenantException } from '../tenants/tenant-exception';
import { refuseUnchecked, type Scope, withTenantCheck } from '../tenants/tenant-plugin';
import { withCheckedConnections } from './checked-connections';

/** A PostgreSQL transaction's isolation level. SQLite runs a single transaction at a time. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/** A Kysely instance for SQLite or PostgreSQL. Made by {@link openDatabase}; `destroy()` closes its connections. */
export class Database extends Kysely<Tables> implements TenantChoice {
  readonly dialect: 'sqlite' | 'postgres';
  /** The place for display: the file path, or host and database name. Contains no credentials. */
  readonly place: string;
  /** The connection options, such as waiting times. */
  readonly connecting: Connecting;
  /** The time-based id source; `undefined` if sequences generate the ids. */
  readonly ids: TimeIds | undefined;
  /** Retries conflicting transactions. */
  readonly retries = new ConflictRetries();
  /**
   * The handle for long lists. It reads from the replica if that is up to date, and from this database otherwise. It shows every
   * write that any program has acknowledged before. Only for `select`.
   */
  readonly replica: Queries;
  private readonly location: DatabaseLocation;
  private readonly checkedDialect: CheckedDialect;
  private readonly openedReplica: Replica | undefined;
  private follower: { close(): void } | undefined;
  private isDestroyed = false;
  private readonly ownsIds: boolean;
  private readonly choice: TenantChoice;

  constructor(
    location: DatabaseLocation,
    connecting: Connecting = defaultConnecting,
    idsOfAnother?: TimeIds,
    scope: Scope = 'none',
  ) {
    const dialect = dialectOf(location, connecting);
    const ids = idsOfAnother ?? (connecting.ids === 'time' ? new TimeIds(dialect) : undefined);
    const plugins = withTenantCheck([...(ids ? [new GeneratedIds(ids)] : []), new SnakeCaseNames()], scope);
    super({ dialect: withCheckedConnections(ids ? withReservedIds(dialect, ids) : dialect), plugins });
    this.ids = ids;
    this.ownsIds = ids !== idsOfAnother;
    this.connecting = connecting;
    this.choice = choiceOf(this, connecting.tenantExceptions);
    this.checkedDialect = dialect;
    this.dialect = location.dialect;
    this.place = location.place;
    this.location = location;
    this.openedReplica = connecting.openReplica?.({
      location,
      connecting,
      dialect,
      run: <Row>(query: CompiledQuery) => this.executeQuery<Row>(query),
    });
    this.replica = this.openedReplica?.queries ?? this;
  }

  /** Checks the database within two seconds. Never throws. */
  async check(): Promise<StoreHealth> {
    return this.isDestroyed ? unavailable('its connections are closed') : this.checkedDialect.check();
  }

  /** Whether lists are read from the replica, by the last check or read; `undefined` without a replica. */
  get replicaHealth(): ReplicaHealth | undefined {
    return this.openedReplica?.health;
  }

  /** Checks the replica, if there is a replica, within four seconds. Never throws. */
  async checkReplica(): Promise<ReplicaHealth | undefined> {
    return this.isDestroyed ? undefined : this.openedReplica?.check();
  }

  /** Executes a query on a separate connection, with fewer steps than Kysely's executor. */
  override async executeQuery<Row>(query: CompiledQuery<Row> | Compilable<Row>): Promise<QueryResult<Row>> {
    this.assertOpen();
    if (this.ids) await this.ids.ready();
    const compiled = 'compile' in query ? query.compile() : query;
    refuseUnchecked(compiled);
    return this.checkedDialect.run<Row>(compiled);
  }

  for(membership: Membership): Queries {
    return this.choice.for(membership);
  }

  acrossTenants(exception: TenantException): Queries {
    return this.choice.acrossTenants(exception);
  }

  /** Runs `work` once in a transaction. Used by `inTransaction`, which joins an outer transaction and retries conflicts. */
  async transact<T>(work: (queries: Queries) => Promise<T>, isolation: Isolation): Promise<T> {
    this.assertOpen();
    const { tenantExceptions } = this.connecting;
    return super
      .transaction()
      .setIsolationLevel(isolation)
      .execute((transaction) => work(withChoice(transaction, tenantExceptions)));
  }

  /** Reserves a connection. Its handle can be bound to a tenant. */
  override connection(): ReservedConnection {
    const { tenantExceptions } = this.connecting;
    const connection = super.connection();
    const execute = connection.execute.bind(connection);
    return Object.assign(connection, {
      execute: <T>(work: (db: Queries) => Promise<T>) =>
        execute((handle) => work(withChoice(handle, tenantExceptions))),
    });
  }

  /** @throws {TypeError} always: the transaction would neither retry conflicts nor be bound to a tenant */
  override transaction(): never {
    throw new TypeError('begin the transaction by inTransaction(db, work)');
  }

  /** @throws {TypeError} always, as {@link transaction} does */
  override startTransaction(): never {
    return this.transaction();
  }

  /** Reads the catalogue without the plugins, as Kysely does. */
  override get introspection(): DatabaseIntrospector {
    return this.checkedDialect.createIntrospector(super.withoutPlugins());
  }

  /** @throws {TypeError} always: the plugins check tenant tables and generate ids */
  override withoutPlugins(): never {
    throw new TypeError(
      'the plugins of a database check its tenant tables: build the statement on the database',
    );
  }

  private assertOpen(): void {
    if (this.isDestroyed) throw new StoreUnavailableError('its connections are closed');
  }

  /** Closes the latest follower once all this handle's connections are closed. */
  closeWith(follower: { close(): void }): void {
    this.follower = follower;
  }

  /** Makes the next write restart the SQLite WAL, for {@link WalFollower}. @throws {TypeError} on PostgreSQL */
  async restartWal(readRest: () => Promise<void>, restarted: () => void): Promise<void> {
    if (!(this.checkedDialect instanceof SqliteDialect))
      throw new TypeError('PostgreSQL archives its WAL itself');
    await this.checkedDialect.restartWal(readRest, restarted);
  }

  override async destroy(): Promise<void> {
    this.isDestroyed = true;
    if (this.ownsIds) await this.ids?.stop();
    await super.destroy();
    await Promise.all([this.checkedDialect.close(), this.openedReplica?.end()]);
    this.follower?.close();
  }

  /** A second handle with separate connections; the caller destroys it. */
  openAnother(): Database {
    return new Database(this.location, this.connecting, this.ids);
  }

  /** The PostgreSQL hosts without a pooler, as connection strings with the password; `undefined` on SQLite. */
  get servers(): readonly string[] | undefined {
    return this.direct.dialect === 'postgres' ? this.direct.hosts : undefined;
  }

  /** A second handle with {@link migrationTimeouts}, for all tenants' rows and without a pooler; the caller destroys it. */
  forMigrations(): Database {
    const connecting: Connecting = {
      ...defaultConnecting,
      timeouts: migrationTimeouts,
      rowPolicies: 'all tenants',
    };
    return new Database(this.direct, connecting, undefined, 'all');
  }

  private get direct(): DatabaseLocation {
    const { directUrl } = this.connecting;
    return directUrl === undefined ? this.location : locationOf(directUrl);
  }
}

/** A database connection for several statements. */
export interface ReservedConnection extends ConnectionBuilder<Tables> {
  execute<T>(work: (db: Queries) => Promise<T>): Promise<T>;
}

/**
 * Opens a database lazily. It connects, and creates the file, at the first query.
 *
 * @param url `sqlite:<path>`, or `postgres://…`
 * @throws {TypeError} for any other URL; the message does not repeat it
 */
export function openDatabase(url: string, connecting: Partial<Connecting> = {}): Database {
  return new Database(locationOf(url), { ...defaultConnecting, ...connecting });
}

function locationOf(url: string): DatabaseLocation {
  const location = readDatabaseUrl(url);
  if (!location) throw new TypeError(`the database URL ${databaseUrlProblem(url)}`);
  return location;
}

function dialectOf(location: DatabaseLocation, connecting: Connecting): CheckedDialect {
  return location.dialect === 'sqlite'
    ? new SqliteDialect(location.path, connecting.timeouts)
    : new PooledPostgresDialect(location, connecting);
}

/** Wraps a dialect so that its connections are used only after ids are reserved. The dialect itself reserves them. */
function withReservedIds(dialect: CheckedDialect, ids: TimeIds) {
  return withConnections(dialect, async (acquire) => {
    await ids.ready();
    return acquire();
  });
}
