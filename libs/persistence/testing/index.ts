export { type MigratedDatabase, useMigratedDatabase } from './migrated-database';
export { type PostgresServer, startPostgres } from './postgres-server';
export { temporaryDatabase, type TemporaryDatabase } from './temporary-database';
