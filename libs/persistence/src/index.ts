export { backUp } from './backup/back-up';
export { restore } from './backup/restore';
export { type StatementEnd, storeChannels } from './channels';
export { checkIntegrity } from './database/check-integrity';
export { Database, type Isolation, openDatabase } from './database/database';
export { readTableIndexes, type TableIndex } from './database/table-indexes';
export { databaseUrlProblem, readDatabaseUrl, sqliteFile } from './dialects/database-url';
export { PostgresServers } from './dialects/postgres/postgres-servers';
export { type PostgresSession } from './dialects/postgres/postgres-session';
export { isStatementTimeout } from './dialects/postgres/postgres-errors';
export { SnakeCaseNames } from './dialects/snake-case-names';
export { type StoreHealth, unavailable } from './dialects/store-health';
export {
  type Primary,
  type Replica,
  type ReplicaHealth,
  type Connecting,
  defaultConnecting,
} from './dialects/connecting';
export {
  BackupError,
  ForeignKeyViolationError,
  ForeignReplicaError,
  NewerDatabaseError,
  PendingMigrationsError,
  SchemaDriftError,
  StoreFaultError,
  StoreUnavailableError,
  TenantTableError,
  UniqueViolationError,
  UnknownOutcomeError,
  UnreleasedDatabaseError,
  UnstorableTextError,
  NullValueError,
  UnstorableValueError,
} from './errors';
export { asJson, givenRows, isAmong, isOneOf, jsonRows, jsonText } from './statements/json-rows';
export { listen } from './database/listen';
export { DatabaseClock, type StoreClock, storeTime } from './jobs/database-clock';
export { type Job, type JobRun } from './jobs/job';
export { jobOf, type JobProvider, jobToken } from './jobs/job.providers';
export { jobLeaseTable } from './jobs/job-lease.table';
export { JobRunner } from './jobs/job-runner.service';
export { Lease } from './jobs/lease';
export { retentionTable } from './jobs/retention.table';
export { deletesOld, type Retention } from './jobs/retentions';
export { migrate } from './migrations/migrate';
export { runMigrateCommand } from './migrations/migrate-command';
export { checkTables } from './migrations/check-tables';
export { checkMigrations } from './migrations/migration-history';
export { Drain } from './queue/drain';
export { Queue, retryAt, type WorkRow } from './queue/queue';
export { Repeat } from './timers/repeat';
export { settledWithin } from './timers/settled-within';
export { shareNext } from './timers/share-next';
export { systemTiming, type Timing } from './timers/timing';
export { PersistenceModule, persistenceOptions } from './persistence.module';
export { computed, placeholdersFor } from './statements/placeholder';
export { type DatabaseEnvironment, persistenceSettings } from './settings';
export { Statement, statement } from './statements/statement';
export { type Columns, type MigrationContext } from './schema/columns';
export { concurrentIndex } from './schema/concurrent-index';
export { defineTable, isExported, type Secrecy, type TableDefinition } from './schema/define-table';
export { type MigrationHistory, runsSinceOf } from './schema/migration';
export { DatabaseSchema, DatabaseSchemas } from './schema/database-schema';
export { type Tables } from './schema/tables';
export { choiceOf, forAnyTenant, type Queries } from './tenants/queries';
export { acrossTenants, TenantException } from './tenants/tenant-exception';
export { withTenantCheck } from './tenants/tenant-plugin';
export { isMembership, issueMembership, type Membership, type TenantId } from './tenants/membership';
export { withCheckedConnections } from './database/checked-connections';
export { inTransaction } from './database/transaction';
export { mapUniqueViolation } from './map-unique-violation';
export { applyFrames, type WalPart, type WalPosition } from './wal/wal-format';
export { WalBrokenError, WalFollower } from './wal/wal-follower';
