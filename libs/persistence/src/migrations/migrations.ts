import { firstTables } from './0001-first-tables';
import { sessions } from './0002-sessions';
import { apiKeys } from './0003-api-keys';
import { audit } from './0004-audit';
import { attempts } from './0005-attempts';
import { tokenGeneration } from './0006-token-generation';
import { administrators } from './0007-administrators';
import { refreshCounts } from './0008-refresh-counts';
import { familiarAddresses } from './0009-familiar-addresses';
import { orderSize } from './0010-order-size';
import { timeFloor } from './0011-time-floor';
import { rateCounts } from './0012-rate-counts';
import { listIndexes } from './0013-list-indexes';
import { mail } from './0014-mail';
import { pictures } from './0015-pictures';
import { revocationTransactions } from './0016-revocation-transactions';
import { passwordReset } from './0017-password-reset';
import { resetTokenIndex } from './0018-reset-token-index';
import { idempotencyKeys } from './0019-idempotency-keys';
import { apiKeyExpiry } from './0020-api-key-expiry';
import { apiKeyScopes } from './0021-api-key-scopes';
import { sessionAudience } from './0023-session-audience';
import { emailVerification } from './0022-email-verification';
import { auditBlockIndex, auditChain } from './0024-audit-chain';
import { picturesWithoutOwner } from './0026-pictures-without-owner';
import { auditKinds } from './0027-audit-kinds';
import { sessionDevice } from './0028-session-device';
import { sweepLease } from './0029-sweep-lease';
import { retentions } from './0030-retentions';
import { type Migrations } from './migration';

/** Every migration by name, oldest first. A released migration is never changed: a new one is added. */
export const migrations: Migrations = {
  '0001-first-tables': { apply: firstTables, runsSince: '0001-first-tables' },
  '0002-sessions': { apply: sessions, runsSince: '0002-sessions' },
  '0003-api-keys': { apply: apiKeys, runsSince: '0002-sessions' },
  '0004-audit': { apply: audit, runsSince: '0003-api-keys' },
  '0005-attempts': { apply: attempts, runsSince: '0004-audit' },
  '0006-token-generation': { apply: tokenGeneration, runsSince: '0006-token-generation' },
  '0007-administrators': { apply: administrators, runsSince: '0006-token-generation' },
  '0008-refresh-counts': { apply: refreshCounts, runsSince: '0008-refresh-counts' },
  '0009-familiar-addresses': { apply: familiarAddresses, runsSince: '0008-refresh-counts' },
  '0010-order-size': { apply: orderSize, runsSince: '0010-order-size' },
  '0011-time-floor': { apply: timeFloor, runsSince: '0010-order-size' },
  '0012-rate-counts': { apply: rateCounts, runsSince: '0011-time-floor' },
  '0013-list-indexes': { ...listIndexes, runsSince: '0012-rate-counts' },
  '0014-mail': { apply: mail, runsSince: '0013-list-indexes' },
  '0015-pictures': { apply: pictures, runsSince: '0014-mail' },
  '0016-revocation-transactions': {
    apply: revocationTransactions,
    runsSince: '0016-revocation-transactions',
  },
  '0017-password-reset': { apply: passwordReset, runsSince: '0016-revocation-transactions' },
  '0018-reset-token-index': { ...resetTokenIndex, runsSince: '0017-password-reset' },
  '0019-idempotency-keys': { apply: idempotencyKeys, runsSince: '0018-reset-token-index' },
  '0020-api-key-expiry': { apply: apiKeyExpiry, runsSince: '0020-api-key-expiry' },
  '0021-api-key-scopes': { apply: apiKeyScopes, runsSince: '0021-api-key-scopes' },
  '0022-email-verification': { apply: emailVerification, runsSince: '0022-email-verification' },
  '0023-session-audience': { apply: sessionAudience, runsSince: '0022-email-verification' },
  '0024-audit-chain': { apply: auditChain, runsSince: '0024-audit-chain' },
  '0025-audit-block-index': { ...auditBlockIndex, runsSince: '0024-audit-chain' },
  '0026-pictures-without-owner': { apply: picturesWithoutOwner, runsSince: '0025-audit-block-index' },
  '0027-audit-kinds': { ...auditKinds, runsSince: '0026-pictures-without-owner' },
  '0028-session-device': { apply: sessionDevice, runsSince: '0027-audit-kinds' },
  '0029-sweep-lease': { apply: sweepLease, runsSince: '0028-session-device' },
  '0030-retentions': { apply: retentions, runsSince: '0029-sweep-lease' },
};
