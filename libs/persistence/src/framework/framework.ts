import { frameworkOwner } from '../schema/application-schema';
import { type TableDefinition } from '../schema/define-table';
import { type MigrationHistory } from '../schema/migration';
import { createTables } from './0001-schema';
import { accountTable } from './account.table';
import { apiKeyTable } from './api-key.table';
import { attemptTable } from './attempt.table';
import { auditBlockTable } from './audit-block.table';
import { auditEventTable } from './audit-event.table';
import { emailLinkTable } from './email-link.table';
import { knownDeviceTable } from './known-device.table';
import { idempotencyKeyTable } from './idempotency-key.table';
import { mailTable } from './mail.table';
import { rateCountTable } from './rate-count.table';
import { retentionTable } from './retention.table';
import { revocationTable } from './revocation.table';
import { refreshTokenTable, sessionTable } from './session.table';
import { recoveryCodeTable, totpTable } from './totp.table';
import { jobLeaseTable } from './job-lease.table';
import { trustedIdentityTable } from './trusted-identity.table';
import { clockHighWaterMarkTable } from './clock-high-water-mark.table';

/** The tables of the libs, which every application has. */
export const frameworkTables: readonly TableDefinition[] = [
  accountTable,
  apiKeyTable,
  attemptTable,
  auditBlockTable,
  auditEventTable,
  emailLinkTable,
  knownDeviceTable,
  trustedIdentityTable,
  totpTable,
  recoveryCodeTable,
  idempotencyKeyTable,
  mailTable,
  rateCountTable,
  refreshTokenTable,
  retentionTable,
  revocationTable,
  sessionTable,
  jobLeaseTable,
  clockHighWaterMarkTable,
];

/** Their history, which comes before that of an application. */
export const framework: MigrationHistory = {
  owner: frameworkOwner,
  migrations: {
    '0001-schema': {
      apply: createTables,
      runsSince: '0001-schema',
      tookMs: { sqlite: 103, postgres: 473 },
    },
  },
};

/** What a program migrates, in this order. */
export function historiesOf(application: MigrationHistory | undefined): readonly MigrationHistory[] {
  return application === undefined ? [framework] : [framework, application];
}
