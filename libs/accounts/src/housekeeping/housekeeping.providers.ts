import { AccessTokens } from '@app/auth';
import { Outbox } from '@app/mail';
import { Database, deletesOld, JobRunner, jobToken, type Retention } from '@app/persistence';
import type { FactoryProvider } from '@nestjs/common';
import { ApiKeys } from '../api-keys/api-keys';
import { signInLimiters } from '../sign-in/sign-in-limits';
import { AttemptsStore } from '../limits/attempts.store';
import { AuditChain } from '../audit/audit-chain';
import { EmailLinksStore } from '../links/email-links.store';
import { KNOWN_DEVICE_MS, KnownDevices } from '../devices/known-devices';
import { type AccountsOptions, longestTokenSeconds } from '../options';
import { RevocationsStore } from '../revocation/revocations.store';
import { SessionsStore } from '../sessions/sessions.store';
import { PendingSignInsStore } from '../sign-in/pending-sign-ins.store';
import { deleteExpiredChallenges } from '../factors/challenges';
import { from } from '../provide.providers';

/** Expired keys are listed for a month, so that their owner sees why they are rejected. */
const EXPIRED_KEY_MS = 30 * 24 * 3_600_000;

/** Of the outbox, whatever their age. */
const MAX_MAILS = 100_000;

/** Deletes expired rows of accounts and sessions in the background. */
export function housekeepingProvider(options: AccountsOptions): FactoryProvider {
  const runner = from(
    JobRunner,
    [
      Database,
      AccessTokens,
      AuditChain,
      AttemptsStore,
      KnownDevices,
      Outbox,
      ApiKeys,
      EmailLinksStore,
      PendingSignInsStore,
      RevocationsStore,
      SessionsStore,
    ],
    (
      db,
      { ttlSeconds },
      audit,
      attempts,
      knownDevices,
      outbox,
      keys,
      links,
      pending,
      revocations,
      sessions,
    ) => {
      const old = deletesOld(db, [
        ...accountRules(audit, attempts, options),
        {
          name: 'known-devices',
          keepMs: KNOWN_DEVICE_MS,
          deleteOlder: (before, limit) => knownDevices.deleteOlder(before, limit),
        },
        ...mailRules(outbox, options),
        {
          name: 'api-keys',
          keepMs: EXPIRED_KEY_MS,
          deleteOlder: (before, limit) => keys.deleteExpired(before, limit),
        },
        {
          name: 'email-links',
          keepMs: 0,
          deleteOlder: (before, limit) => links.deleteExpired(before, limit),
        },
        {
          name: 'challenges',
          keepMs: 0,
          deleteOlder: (before, limit) => deleteExpiredChallenges(db, before, limit),
        },
        {
          name: 'pending-sign-ins',
          keepMs: 0,
          deleteOlder: (before, limit) => pending.deleteExpired(before, limit),
        },
        ...sessionRules(revocations, sessions, Math.max(ttlSeconds, longestTokenSeconds(options))),
      ]);
      return new JobRunner(db, {
        name: 'accounts',
        announce: old.announce,
        run: async (run) => {
          await run.inBatches((limit) => audit.sealNext(limit));
          await old.run(run);
        },
      });
    },
  );
  return { ...runner, provide: jobToken('accounts') };
}

function accountRules(
  audit: AuditChain,
  attempts: AttemptsStore,
  { auditSeconds, signIn }: AccountsOptions,
): Retention[] {
  const limiters = Object.values(signInLimiters(signIn, attempts));
  const attemptsMs = Math.max(...limiters.map(({ policy }) => policy.forgetAfter));
  return [
    {
      name: 'audit',
      keepMs: auditSeconds * 1000,
      deleteOlder: (before, limit) => audit.pruneOlder(before, limit),
    },
    {
      name: 'attempts',
      keepMs: attemptsMs,
      deleteOlder: (before, limit) => attempts.deleteOlder(before, limit),
    },
  ];
}

function mailRules(outbox: Outbox, { mailSeconds }: AccountsOptions): Retention[] {
  return [
    {
      name: 'mails',
      keepMs: mailSeconds * 1000,
      deleteOlder: (before, limit) => outbox.deleteOlder(before, limit),
    },
    { name: 'mails-over-limit', keepMs: 0, deleteOlder: (_, limit) => outbox.deleteOver(MAX_MAILS, limit) },
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
): Retention[] {
  const keepMs = (tokenSeconds + 3600) * 1000;
  return [
    { name: 'revocations', keepMs, deleteOlder: (before, limit) => revocations.deleteOlder(before, limit) },
    { name: 'sessions', keepMs, deleteOlder: (before, limit) => sessions.deleteExpired(before, limit) },
  ];
}
