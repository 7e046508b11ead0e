import { type Columns, type MigrationContext } from '../schema/columns';
import { createAccount } from './account.table';
import { createRefreshToken, createSession } from './session.table';
import { createApiKey } from './api-key.table';
import { createEmailLink } from './email-link.table';
import { createKnownDevice } from './known-device.table';
import { createTrustedIdentity } from './trusted-identity.table';
import { createRecoveryCode, createTotp } from './totp.table';
import { createRevocation } from './revocation.table';
import { createAuditEvent } from './audit-event.table';
import { createAuditBlock } from './audit-block.table';
import { createAttempt } from './attempt.table';
import { createMail } from './mail.table';
import { createIdempotencyKey } from './idempotency-key.table';
import { createRateCount } from './rate-count.table';
import { createJobLease } from './job-lease.table';
import { createRetention } from './retention.table';
import { createClockHighWaterMark } from './clock-high-water-mark.table';

/**
 * The tables of the libs, which every application has: those that others refer to are first. A unique constraint is named
 * `<table>_<columns>_unique`, see sqlite-errors.ts.
 */
export async function createTables(db: MigrationContext, columns: Columns): Promise<void> {
  await createAccount(db, columns);
  await createSession(db, columns);
  await createRefreshToken(db, columns);
  await createApiKey(db, columns);
  await createEmailLink(db, columns);
  await createKnownDevice(db, columns);
  await createTrustedIdentity(db, columns);
  await createTotp(db, columns);
  await createRecoveryCode(db, columns);
  await createRevocation(db, columns);
  await createAuditEvent(db, columns);
  await createAuditBlock(db, columns);
  await createAttempt(db, columns);
  await createMail(db, columns);
  await createIdempotencyKey(db, columns);
  await createRateCount(db, columns);
  await createJobLease(db, columns);
  await createRetention(db, columns);
  await createClockHighWaterMark(db, columns);
}
