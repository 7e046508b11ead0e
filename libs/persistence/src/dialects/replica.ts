import { type CompiledQuery, type Dialect, type Kysely, type QueryResult } from 'kysely';
import { type StoreUnavailableError } from '../errors';
import { type Tables } from '../schema/tables';
import { type DatabaseLocation } from './database-url';
import { type Connecting } from './timeouts';

/** What a replica can be used for now. */
export interface ReplicaHealth {
  /** Anything but `ok`: lists are read from the primary. */
  readonly state: 'ok' | 'lagging' | 'unavailable';
  /** Why it is not `ok`. */
  readonly error?: StoreUnavailableError;
  /** What it had not applied after the wait; absent if that is not known. */
  readonly lagBytes?: number;
}

/** A replica that lists are read from; a plugin opens it. */
export interface Replica {
  /** Executes a `select` on the replica, or on the primary while the replica cannot be used. */
  readonly queries: Kysely<Tables>;
  /** As of the last check, or of the last read. */
  readonly health: ReplicaHealth;
  /** Does not throw, and takes four seconds at most. */
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
