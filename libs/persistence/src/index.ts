export { Database, openDatabase, type Queries } from './database';
export { sqliteFile } from './database-url';
export {
  ForeignKeyViolationError,
  NewerDatabaseError,
  StoreUnavailableError,
  UniqueViolationError,
  UnstorableTextError,
} from './errors';
export { listen } from './listen';
export { migrate } from './migrate';
export { PersistenceModule, type PersistenceOptions } from './nest/persistence.module';
export { persistenceSettings } from './settings';
export { type AccountRow, type AccountTable, type NewAccountRow, type Role } from './tables/account.table';
export { type ApiKeyRow, type ApiKeyTable } from './tables/api-key.table';
export { type AttemptRow, type AttemptTable } from './tables/attempt.table';
export { type AuditEventRow, type AuditEventTable } from './tables/audit-event.table';
export { type ItemRow, type ItemTable, type NewItemRow } from './tables/item.table';
export {
  type NewOrderItemRow,
  type NewOrderRow,
  type OrderItemRow,
  type OrderItemTable,
  type OrderRow,
  type OrderTable,
} from './tables/order.table';
export { type NewPostRow, type PostRow, type PostTable } from './tables/post.table';
export {
  type RefreshTokenRow,
  type RefreshTokenTable,
  type RevocationRow,
  type RevocationTable,
  type SessionRow,
  type SessionTable,
} from './tables/session.table';
export { type Tables } from './tables/tables';
export { inTransaction } from './transaction';
export { unlessTaken } from './unless-taken';
