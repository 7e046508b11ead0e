import { DatabaseSchema, jobLeaseTable, retentionTable } from '@app/persistence';
import { accountTable } from './account/account.table';
import { refreshTokenTable, sessionTable } from './sessions/session.table';
import { apiKeyTable } from './api-keys/api-key.table';
import { emailLinkTable } from './account/email-link.table';
import { knownDeviceTable } from './devices/known-device.table';
import { trustedIdentityTable } from './identities/trusted-identity.table';
import { factorInUseTable } from './factors/factor-in-use.table';
import { challengeTable } from './sign-in/challenge.table';
import { pendingSignInTable } from './sign-in/pending-sign-in.table';
import { revocationTable } from './revocation/revocation.table';
import { auditEventTable } from './audit/audit-event.table';
import { auditBlockTable } from './audit/audit-block.table';
import { attemptTable } from './limits/attempt.table';
import { clockHighWaterMarkTable } from './clock-high-water-mark.table';

/** This library's tables. */
export const accountsSchema = new DatabaseSchema('accounts', [
  accountTable,
  sessionTable,
  refreshTokenTable,
  apiKeyTable,
  emailLinkTable,
  knownDeviceTable,
  trustedIdentityTable,
  pendingSignInTable,
  challengeTable,
  factorInUseTable,
  revocationTable,
  auditEventTable,
  auditBlockTable,
  attemptTable,
  jobLeaseTable,
  retentionTable,
  clockHighWaterMarkTable,
]);
