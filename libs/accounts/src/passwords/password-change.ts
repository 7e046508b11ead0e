import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { requirementOf } from '../account/password-change-requirement';
import { ApiKeys } from '../api-keys/api-keys';
import { AuditLog } from '../audit/audit-log';
import { forgetDevices } from '../devices/known-devices';
import { Enrolments } from '../factors/enrolments';
import { Mailer } from '../mails/mailer';
import { SessionsStore } from '../sessions/sessions.store';
import { signInIdOf } from '../access/sid';
import type { Actor } from '../access/actor';

/** Sets a password that its owner, or an administrator, chose. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly keys: ApiKeys,
    private readonly enrolments: Enrolments,
    private readonly mailer: Mailer,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Sets the password, revokes every sign-in except the owner's current sign-in, and mails the owner. API keys stay (D30). A
   * password that somebody else sets must be changed at its first use, ends API keys and enrolments, and forgets the known
   * devices (D51).
   *
   * @param keepsFactors whether API keys and enrolments stay when somebody else sets the password
   * @param db the transaction that revokes the account
   * @returns the number of API keys that still work
   */
  async apply(
    account: AccountRow,
    passwordHash: string,
    { by, keepsFactors = false }: { readonly by: Actor | undefined; readonly keepsFactors?: boolean },
    db: Queries,
  ): Promise<number> {
    const { id } = account;
    const isOwn = by === undefined || by.id === id;
    const kept = by?.id === id && by.caller ? signInIdOf(by.caller) : undefined;
    const now = new Date();
    const change = {
      passwordHash,
      passwordChangedAt: now,
      // An administrator knows the one that it sets.
      passwordChangeRequiredAt: isOwn ? null : now,
    };
    await this.store.incrementTokenGeneration(id, kept, db);
    await this.sessions.removeAllOf(id, kept, db);
    await this.store.update(id, change, db);
    if (!isOwn && !keepsFactors) {
      await this.keys.removeAllOf(id, db);
      await this.enrolments.endAll(id, db);
      await forgetDevices(id, db);
    }
    const [ip, apiKeys] = [by?.client?.ip, await this.keys.countActive(id, db)];
    const detail = { keys: apiKeys, ...(!isOwn && { keepsFactors }), ...requirementOf(change) };
    await this.audit.record({ kind: 'password-changed', accountId: id, actorId: by?.id, ip, detail }, db);
    const facts = { email: account.email, ip, at: now, apiKeys, ...requirementOf(change) };
    await this.mailer.send('passwordChanged', { account, ip }, facts, db);
    return apiKeys;
  }
}
