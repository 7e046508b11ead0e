import { accountPolicy, addressPolicy } from '../attempt-policy';
import type { AttemptsStore } from '../attempts.store';
import type { AuditLog } from '../audit-log';
import type { AccountsOptions } from '../options';
import type { RevocationsStore } from '../revocation/revocations.store';
import type { SessionsStore } from '../sessions/sessions.store';
import type { Sweep } from './housekeeping';

/** What is forgotten about accounts, by the settings. */
export function accountSweeps(
  audit: AuditLog,
  attempts: AttemptsStore,
  { auditSeconds, signIn }: AccountsOptions,
): Sweep[] {
  const attemptsMs = Math.max(accountPolicy(signIn).forgetAfter, addressPolicy(signIn).forgetAfter);
  return [
    { keepMs: auditSeconds * 1000, forget: (before, limit) => audit.forget(before, limit) },
    { keepMs: attemptsMs, forget: (before, limit) => attempts.forgetOlder(before, limit) },
  ];
}

/**
 * What is forgotten about sessions: an hour after the last token that it could matter for, since a clock may have been
 * set forward by as much, and back again.
 */
export function sessionSweeps(
  revocations: RevocationsStore,
  sessions: SessionsStore,
  tokenSeconds: number,
): Sweep[] {
  const keepMs = (tokenSeconds + 3600) * 1000;
  return [
    { keepMs, forget: (before, limit) => revocations.forgetOlder(before, limit) },
    { keepMs, forget: (before, limit) => sessions.forgetExpired(before, limit) },
  ];
}
