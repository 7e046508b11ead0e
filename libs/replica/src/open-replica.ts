import { readDatabaseUrl } from '../../database-url';
import { type Connecting } from '../../timeouts';
import { type PostgresHosts, PostgresServers } from '../postgres-servers';
import { ReplicaReader } from './replica-reader';

/** A list without a connection after this time is read from the primary. */
const WAIT_MS = 500;
const POSITION_TIMEOUT_MS = 1_000;

/**
 * Opens the replica that `connecting` names, lazily: one more connection to the primary, and a pool of the same size to the replica.
 *
 * @throws {TypeError} if either is not PostgreSQL; the message does not repeat the URL
 */
export function openReplica(
  primary: PostgresHosts | undefined,
  { replicaUrl = '', ...connecting }: Connecting,
): ReplicaReader {
  const replica = readDatabaseUrl(replicaUrl);
  if (primary === undefined || replica?.dialect !== 'postgres')
    throw new TypeError(
      'a replica needs PostgreSQL: DATABASE_REPLICA_URL and DATABASE_URL must both name one',
    );
  const { timeouts } = connecting;
  const waitMs = Math.min(timeouts.waitMs, WAIT_MS);
  return new ReplicaReader(
    new PostgresServers(
      { hosts: replica.hosts, isPrimaryOnly: false },
      { ...connecting, isPooled: false, timeouts: { ...timeouts, waitMs } },
    ),
    new PostgresServers(
      { hosts: primary.hosts, isPrimaryOnly: true },
      { ...connecting, poolSize: 1, timeouts: { waitMs, statementMs: POSITION_TIMEOUT_MS } },
    ),
  );
}
