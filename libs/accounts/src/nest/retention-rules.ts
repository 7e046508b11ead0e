import { AccessTokens } from '@app/auth';
import { Outbox } from '@app/mail';
import { Database } from '@app/persistence';
import type { FactoryProvider } from '@nestjs/common';
import { ApiKeys } from '../api-keys';
import { accountPolicy, addressPolicy } from '../attempt-policy';
import { AttemptsStore } from '../attempts.store';
import { AuditChain } from '../audit/audit-chain';
import { EmailLinksStore } from '../email-verification/email-links.store';
import { FAMILIAR_MS, FamiliarAddresses } from '../familiar-addresses';
import type { AccountsOptions } from '../options';
import { RevocationsStore } from '../revocation/revocations.store';
import { SessionsStore } from '../sessions/sessions.store';
import { SweepLease } from '../sweep-lease';
import { Housekeeping, type RetentionRule } from './housekeeping';

/** Expired keys are listed for a month, so that their owner sees why they are rejected. */
const EXPIRED_KEY_MS = 30 * 24 * 3_600_000;

/** Of the outbox, whatever their age. */
const MAX_MAILS = 100_000;

/** Deletes expired rows of accounts and sessions in the background. */
export function housekeepingProvider(options: AccountsOptions): FactoryProvider {
  return {
    provide: Housekeeping,
    inject: [
      Database,
      AccessTokens,
      AuditChain,
      AttemptsStore,
      FamiliarAddresses,
      Outbox,
      ApiKeys,
      EmailLinksStore,
      RevocationsStore,
      SessionsStore,
    ],
    useFactory: (
      db: Database,
      { ttlSeconds }: AccessTokens,
      audit: AuditChain,
      attempts: AttemptsStore,
      familiar: FamiliarAddresses,
      outbox: Outbox,
      keys: ApiKeys,
      links: EmailLinksStore,
      revocations: RevocationsStore,
      sessions: SessionsStore,
    ) =>
      new Housekeeping(
        new SweepLease(db, 'accounts'),
        [
          ...accountRules(audit, attempts, options),
          { keepMs: FAMILIAR_MS, deleteOlder: (before, limit) => familiar.deleteOlder(before, limit) },
          ...mailRules(outbox, options),
          { keepMs: EXPIRED_KEY_MS, deleteOlder: (before, limit) => keys.deleteExpired(before, limit) },
          { keepMs: 0, deleteOlder: (before, limit) => links.deleteExpired(before, limit) },
          ...sessionRules(revocations, sessions, ttlSeconds),
        ],
        [(limit) => audit.sealNext(limit)],
      ),
  };
}

function accountRules(
  audit: AuditChain,
  attempts: AttemptsStore,
  { auditSeconds, signIn }: AccountsOptions,
): RetentionRule[] {
  const attemptsMs = Math.max(accountPolicy(signIn).forgetAfter, addressPolicy(signIn).forgetAfter);
  return [
    { keepMs: auditSeconds * 1000, deleteOlder: (before, limit) => audit.pruneOlder(before, limit) },
    { keepMs: attemptsMs, deleteOlder: (before, limit) => attempts.deleteOlder(before, limit) },
  ];
}

function mailRules(outbox: Outbox, { mailSeconds }: AccountsOptions): RetentionRule[] {
  return [
    { keepMs: mailSeconds * 1000, deleteOlder: (before, limit) => outbox.deleteOlder(before, limit) },
    { keepMs: 0, deleteOlder: (_, limit) => outbox.deleteOver(MAX_MAILS, limit) },
  ];
}

/**
 * Keeps rows an hour longer than the last affected token, since the clock may be set forward and back by up to an
 * hour.
 */
function sessionRules(
  revocations: RevocationsStore,
  sessions: SessionsStore,
  tokenSeconds: number,
): RetentionRule[] {
  const keepMs = (tokenSeconds + 3600) * 1000;
  return [
    { keepMs, deleteOlder: (before, limit) => revocations.deleteOlder(before, limit) },
    { keepMs, deleteOlder: (before, limit) => sessions.deleteExpired(before, limit) },
  ];
}
