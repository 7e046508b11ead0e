import { type CompiledQuery, type Dialect, type QueryResult } from 'kysely';
import { type StoreUnavailableError } from '../errors';
import { type Ids } from '../schema/columns';
import { type Queries } from '../tenants/queries';
import { type TenantException } from '../tenants/tenant-exception';
import { type DatabaseLocation } from './database-url';
import { defaultIds } from './ids/default-ids';
import { requestTimeouts, type Timeouts } from './timeouts';

/** A replica's current state. */
export interface ReplicaHealth {
  /** The state. Unless it is `ok`, lists are read from the primary. */
  readonly state: 'ok' | 'lagging' | 'unavailable';
  /** The reason why the state is not `ok`. */
  readonly error?: StoreUnavailableError;
  /** The log bytes that the replica had not applied after the wait; absent if unknown. */
  readonly lagBytes?: number;
}

/** A replica from which lists are read. A plugin opens it. */
export interface Replica {
  /** Executes a `select` on the replica, or on the primary while the replica cannot be used. */
  readonly queries: Queries;
  /** The last check's or read's result. */
  readonly health: ReplicaHealth;
  /** Checks the replica within four seconds. Never throws. */
  check(): Promise<ReplicaHealth>;
  /** Closes the connections. Idempotent. */
  end(): Promise<void>;
}

/** The database that a replica belongs to. */
export interface Primary {
  readonly location: DatabaseLocation;
  readonly connecting: Connecting;
  readonly dialect: Dialect;
  readonly run: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;
}

/** The options for connecting to a database. */
export interface Connecting {
  readonly timeouts: Timeouts;
  /** The most PostgreSQL connections. */
  readonly poolSize: number;
  /** Whether a pooler such as pgbouncer assigns connections per transaction. Connections then keep no state. */
  readonly isPooled: boolean;
  /** The PostgreSQL URL without that pooler, for migrations and notifications. */
  readonly directUrl?: string;
  /** Opens the replica from which lists are read. Default: no replica. */
  readonly openReplica?: (primary: Primary) => Replica;
  /** The exceptions that `db.acrossTenants` accepts. Default: every exception, for handles without a program. */
  readonly tenantExceptions?: readonly TenantException[];
  /**
   * The tenants whose rows PostgreSQL's row policies show: the tenant of each statement, or all tenants, for migrations. Default:
   * the tables have no policies.
   */
  readonly rowPolicies?: 'by statement' | 'all tenants';
  readonly ids: Ids;
}

/** The server's default `max_connections` is 100. */
export const defaultConnecting: Connecting = {
  timeouts: requestTimeouts,
  poolSize: 10,
  isPooled: false,
  ids: defaultIds,
};
