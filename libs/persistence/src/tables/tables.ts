import { type AccountTable } from './account.table';
import { type ApiKeyTable } from './api-key.table';
import { type AttemptTable } from './attempt.table';
import { type AuditBlockTable } from './audit-block.table';
import { type AuditEventTable } from './audit-event.table';
import { type EmailLinkTable } from './email-link.table';
import { type FamiliarAddressTable } from './familiar-address.table';
import { type IdempotencyKeyTable } from './idempotency-key.table';
import { type ItemTable } from './item.table';
import { type MailTable } from './mail.table';
import { type OrderItemTable, type OrderTable } from './order.table';
import { type PictureTable } from './picture.table';
import { type PostTable } from './post.table';
import { type RateCountTable } from './rate-count.table';
import { type RetentionTable } from './retention.table';
import { type RefreshTokenTable, type RevocationTable, type SessionTable } from './session.table';
import { type SweepLeaseTable } from './sweep-lease.table';
import { type TimeFloorTable } from './time-floor.table';

/**
 * Every table. Names are snake_case in the database. A column named `*_at` is a `Date` with millisecond precision, one
 * named `is_*` a boolean, on both databases.
 */
export interface Tables {
  account: AccountTable;
  apiKey: ApiKeyTable;
  attempt: AttemptTable;
  auditBlock: AuditBlockTable;
  auditEvent: AuditEventTable;
  emailLink: EmailLinkTable;
  familiarAddress: FamiliarAddressTable;
  idempotencyKey: IdempotencyKeyTable;
  item: ItemTable;
  mail: MailTable;
  order: OrderTable;
  orderItem: OrderItemTable;
  picture: PictureTable;
  post: PostTable;
  rateCount: RateCountTable;
  refreshToken: RefreshTokenTable;
  retention: RetentionTable;
  revocation: RevocationTable;
  session: SessionTable;
  sweepLease: SweepLeaseTable;
  timeFloor: TimeFloorTable;
}
