export { backUp } from './backup/back-up';
export { restore } from './backup/restore';
export { type StatementEnd, storeChannels } from './channels';
export { checkIntegrity } from './check-integrity';
export { Database, openDatabase, type Queries } from './database';
export { sqliteFile } from './database-url';
export { type ReplicaHealth } from './dialects/postgres/replica/replica-health';
export { type StoreHealth } from './dialects/store-health';
export {
  ForeignKeyViolationError,
  PendingMigrationsError,
  StoreFaultError,
  StoreUnavailableError,
  UniqueViolationError,
  UnstorableTextError,
  UnstorableValueError,
} from './errors';
export { asJson, givenRows, isAmong, isOneOf, jsonRows, jsonText } from './json-rows';
export { listen } from './listen';
export { migrate } from './migrate';
export { runMigrateCommand } from './migrate-command';
export { checkMigrations } from './migration-history';
export { PersistenceModule, persistenceOptions } from './nest/persistence.module';
export { computed } from './placeholder';
export { persistenceSettings } from './settings';
export { Statement, statement, statementByShape } from './statement';
export { type AccountRow, type Role } from './tables/account.table';
export { type ApiKeyRow } from './tables/api-key.table';
export { type AttemptRow } from './tables/attempt.table';
export { type AuditBlockRow } from './tables/audit-block.table';
export { type AuditEventRow } from './tables/audit-event.table';
export { type EmailLinkRow } from './tables/email-link.table';
export { type IdempotencyKeyRow } from './tables/idempotency-key.table';
export { type ItemRow } from './tables/item.table';
export { type MailRow } from './tables/mail.table';
export { type OrderItemRow, type OrderRow } from './tables/order.table';
export { type PictureRow } from './tables/picture.table';
export { type PostRow } from './tables/post.table';
export { type RefreshTokenRow, type RevocationRow, type SessionRow } from './tables/session.table';
export { type Tables } from './tables/tables';
export { inSharedTransaction, inTransaction } from './transaction';
export { mapUniqueViolation } from './map-unique-violation';
export { isFirstWorker, workerNumber, workerNumberVariable } from './worker-number';
