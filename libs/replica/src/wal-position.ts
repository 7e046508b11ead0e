import { ForeignReplicaError, type PostgresSession, StoreUnavailableError } from '@app/persistence';

/** What a position is asked on. */
type Connection = Pick<PostgresSession, 'discard' | 'execute'>;

/** A position in the write-ahead log of a cluster. */
export interface WalPosition {
  /** The identifier of the cluster, the same on its standbys. */
  readonly system: string;
  /** Counts promotions. Positions of different timelines cannot be compared. */
  readonly timeline: number;
  /** Of the log before it; `NaN` for a server that was to be a standby and is not. */
  readonly bytes: number;
}

/** The timeline of the last checkpoint may still be the one before a promotion; that of a file of the log is not. */
const flushed = `select system_identifier::text as system,
  ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline,
  (pg_current_wal_flush_lsn() - '0/0')::int8 as bytes
  from pg_control_system() where not pg_is_in_recovery()`;

/** The timeline of the last restart point, which the standby has certainly followed. */
const replayed = `select system_identifier::text as system, timeline_id as timeline,
  case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::int8 end as bytes
  from pg_control_system(), pg_control_checkpoint()`;

/**
 * How far the log of a primary is on its disk: all that it acknowledged before this call is before that.
 *
 * @throws {StoreUnavailableError} if the server is a standby now; the connection is closed, and a new one is verified
 */
export async function flushedPosition(connection: Connection): Promise<WalPosition> {
  const position = await positionBy(connection, flushed);
  if (position !== undefined) return position;
  connection.discard();
  throw new StoreUnavailableError('it is not a primary');
}

/** How far a standby has applied the log: queries after this call see all that is before that. */
export function replayedPosition(connection: Connection): Promise<WalPosition | undefined> {
  return positionBy(connection, replayed);
}

/**
 * How many bytes of the log of the primary a server lacks; `NaN` between timelines, and for one that did not answer.
 *
 * @throws {ForeignReplicaError} if it belongs to another cluster
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
