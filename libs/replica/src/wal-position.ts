import { ForeignReplicaError, type PostgresSession, StoreUnavailableError } from '@app/persistence';

/** The connection that is asked for a position. */
type Connection = Pick<PostgresSession, 'discard' | 'execute'>;

/** A position in a cluster's write-ahead log. */
export interface WalPosition {
  /** The identifier of the cluster, the same on its standbys. */
  readonly system: string;
  /** The number of promotions. Positions on different timelines cannot be compared. */
  readonly timeline: number;
  /** The number of log bytes before it. It is `NaN` for a server that should be a standby but is not. */
  readonly bytes: number;
}

/** Reads the timeline from a log file's name, because the last checkpoint may still have the timeline before a promotion. */
const flushed = `select system_identifier::text as system,
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
  (pg_current_wal_flush_lsn() - '0/0')::int8 as bytes
  from pg_control_system() where not pg_is_in_recovery()`;

/** Reads the timeline from the last restart point, which the standby has certainly followed. */
const replayed = `select system_identifier::text as system, timeline_id as timeline,
  case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::int8 end as bytes
  from pg_control_system(), pg_control_checkpoint()`;

/**
 * Returns the position up to which a primary's log is on its disk. All changes that it acknowledged before this call precede it.
 *
 * @throws {StoreUnavailableError} if the server is a standby now; the connection is closed, and a new connection is verified
 */
export async function flushedPosition(connection: Connection): Promise<WalPosition> {
  const position = await positionBy(connection, flushed);
  if (position !== undefined) return position;
  connection.discard();
  throw new StoreUnavailableError('it is not a primary');
}

/** Returns the position up to which a standby has applied the log. Queries after this call see all changes before it. */
export function replayedPosition(connection: Connection): Promise<WalPosition | undefined> {
  return positionBy(connection, replayed);
}

/**
 * Returns how many log bytes of the primary a server lacks; `NaN` between timelines, and for a server that did not answer.
 *
 * @throws {ForeignReplicaError} if it belongs to a different cluster
 * @throws {StoreUnavailableError} if it is not a standby
 */
export function lagOf(at: WalPosition | undefined, target: WalPosition): number {
  if (at === undefined) return NaN;
  if (at.system !== target.system) throw new ForeignReplicaError();
  if (Number.isNaN(at.bytes)) throw new StoreUnavailableError('the replica is not a standby');
  return at.timeline === target.timeline ? Math.max(0, target.bytes - at.bytes) : NaN;
}

async function positionBy(connection: Connection, text: string): Promise<WalPosition | undefined> {
  const { rows } = await connection.execute(text);
  const [row] = rows;
  if (row === undefined) return undefined;
  const bytes = row.bytes === null ? NaN : Number(row.bytes);
  return { system: String(row.system), timeline: Number(row.timeline), bytes };
}
