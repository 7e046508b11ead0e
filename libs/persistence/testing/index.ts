export { type ForeignKey, foreignKeys } from './foreign-keys';
export { type MigratedDatabase, useMigratedDatabase } from './migrated-database';
export { migrateToNextRelease } from './next-release';
export { type PostgresPair, type PostgresServer, startPostgres, startPostgresPair } from './postgres-server';
export { QueryRecord } from './query-plans';
export { classifiedColumns, openMembers, type Secrecy, secrecy, textsOf } from './secrecy';
export { migratedDatabase, temporaryDatabase, type TemporaryDatabase } from './temporary-database';
