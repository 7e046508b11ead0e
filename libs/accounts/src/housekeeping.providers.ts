import { Outbox } from '@app/mail';
import { Database, deletesOld, JobRunner, jobToken, type Retention } from '@app/persistence';
import type { FactoryProvider } from '@nestjs/common';
import { ApiKeys } from './api-keys/api-keys';
import { AuditChain } from './audit/audit-chain';
import { KNOWN_DEVICE_MS, KnownDevices } from './devices/known-devices';
import { deleteExpiredChallenges } from './sign-in/challenges';
import { AttemptsStore } from './limits/attempts.store';
import { EmailLinksStore } from './account/email-links.store';
import { AccountsOptions } from './options';
import { Revocations } from './revocation/revocations';
import { SessionsStore } from './sessions/sessions.store';
import { PendingSignIns } from './sign-in/pending-sign-ins';
import { SignInLimits } from './sign-in/sign-in-limits';

const DAY = 24 * 3_600_000;
/** The time for which expired keys stay listed, so that their owner sees why they are rejected. */
const EXPIRED_KEY_MS = 30 * DAY;
/** The time for which mails are kept. An operator looks a mail up within days, and every copy of personal data is a risk. */
const MAIL_MS = 7 * DAY;
/** The most mails in the outbox, whatever their age. */
const MAX_MAILS = 100_000;

/** The background job that deletes expired rows of accounts and sessions. */
export const housekeepingProvider: FactoryProvider = {
  provide: jobToken('accounts'),
  inject: [
    Database,
    AccountsOptions,
    SignInLimits,
    AuditChain,
    AttemptsStore,
    KnownDevices,
    Outbox,
    ApiKeys,
    EmailLinksStore,
    PendingSignIns,
    Revocations,
    SessionsStore,
  ],
  useFactory: (
    db: Database,
    options: AccountsOptions,
    limits: SignInLimits,
    audit: AuditChain,
    attempts: AttemptsStore,
    knownDevices: KnownDevices,
    outbox: Outbox,
    keys: ApiKeys,
    links: EmailLinksStore,
    pending: PendingSignIns,
    revocations: Revocations,
    sessions: SessionsStore,
  ) => {
    // Kept an hour longer than the last affected token, since the clock may be set forward and back by up to an hour.
    const tokenMs = (options.longestTokenSeconds() + 3600) * 1000;
    const old = deletesOld(db, [
      keep('audit', options.settings.AUDIT_RETENTION * 1000, (...due) => audit.pruneOlder(...due)),
      keep('attempts', limits.forgetAfterMs, (...due) => attempts.deleteOlder(...due)),
      keep('known-devices', KNOWN_DEVICE_MS, (...due) => knownDevices.deleteOlder(...due)),
      keep('mails', MAIL_MS, (...due) => outbox.deleteOlder(...due)),
      keep('mails-over-limit', 0, (_, limit) => outbox.deleteOver(MAX_MAILS, limit)),
      keep('api-keys', EXPIRED_KEY_MS, (...due) => keys.deleteExpired(...due)),
      keep('email-links', 0, (...due) => links.deleteExpired(...due)),
      keep('challenges', 0, (...due) => deleteExpiredChallenges(db, ...due)),
      keep('pending-sign-ins', 0, (...due) => pending.deleteExpired(...due)),
      keep('revocations', tokenMs, (...due) => revocations.deleteOlder(...due)),
      keep('sessions', tokenMs, (...due) => sessions.deleteExpired(...due)),
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
};

function keep(name: string, keepMs: number, deleteOlder: Retention['deleteOlder']): Retention {
  return { name, keepMs, deleteOlder };
}
