import { type AccountTable } from './account.table';
import { type ApiKeyTable } from './api-key.table';
import { type AttemptTable } from './attempt.table';
import { type AuditEventTable } from './audit-event.table';
import { type ItemTable } from './item.table';
import { type OrderItemTable, type OrderTable } from './order.table';
import { type PostTable } from './post.table';
import { type RefreshTokenTable, type RevocationTable, type SessionTable } from './session.table';

/**
 * Every table, as TypeScript names it; in the database names are snake_case. A column whose name ends in `_at` is a
 * moment: a `Date`, whole milliseconds, on both stores; one whose name begins with `is_` is a boolean.
 */
export interface Tables {
  account: AccountTable;
  apiKey: ApiKeyTable;
  attempt: AttemptTable;
  auditEvent: AuditEventTable;
  item: ItemTable;
  order: OrderTable;
  orderItem: OrderItemTable;
  post: PostTable;
  refreshToken: RefreshTokenTable;
  revocation: RevocationTable;
  session: SessionTable;
}
