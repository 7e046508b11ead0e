import { type Primary, PostgresServers, readDatabaseUrl, type Replica } from '@app/persistence';
import { ReplicaDialect } from './replica-dialect';
import { ReplicaQueries } from './replica-queries';
import { ReplicaReader } from './replica-reader';

/** The maximum wait for a connection. After this time a list is read from the primary. */
const WAIT_MS = 500;
const POSITION_TIMEOUT_MS = 1_000;

/**
 * Opens a replica lazily: an additional connection to the primary, and a pool to the replica with the usual size.
 *
 * @throws {TypeError} if a server is not PostgreSQL; the message omits the URL
 */
export function openReplica(url: string, { location, connecting, dialect, run }: Primary): Replica {
  const replica = readDatabaseUrl(url);
  if (location.dialect !== 'postgres' || replica?.dialect !== 'postgres')
    throw new TypeError(
      'a replica needs PostgreSQL: DATABASE_REPLICA_URL and DATABASE_URL must both name one',
    );
  const { timeouts } = connecting;
  const waitMs = Math.min(timeouts.waitMs, WAIT_MS);
  const reader = new ReplicaReader(
    new PostgresServers(
      { hosts: replica.hosts, isPrimaryOnly: false },
      { ...connecting, isPooled: false, timeouts: { ...timeouts, waitMs } },
    ),
    new PostgresServers(
      { hosts: location.hosts, isPrimaryOnly: true },
      { ...connecting, poolSize: 1, timeouts: { waitMs, statementMs: POSITION_TIMEOUT_MS } },
    ),
  );
  return {
    queries: new ReplicaQueries(new ReplicaDialect(reader, dialect, run), connecting.tenantExceptions),
    get health() {
      return reader.health;
    },
    check: () => reader.check(),
    end: () => reader.end(),
  };
}
