import { Outbox } from '@app/mail';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { ApiKeys } from '../api-keys/api-keys';
import { type AuditKind, AuditLog } from '../audit/audit-log';
import { LastAdministratorError } from '../errors';
import { type Actor, recordOf } from '../access/actor';
import { Revocations } from '../revocation/revocations';
import { SessionsStore } from '../sessions/sessions.store';
import { checkStillSignedIn } from '../access/sign-in-check';

/** A role or status change; absent fields stay unchanged. */
export interface AccountStateChange {
  /** A role that the application declares. */
  readonly role?: string;
  readonly disabled?: boolean;
}

/**
 * Changes accounts for operators. Each change is a transaction that locks and counts the administrators, so that two concurrent
 * changes cannot remove the last administrator.
 */
@Injectable()
export class Administration {
  constructor(
    private readonly revocations: Revocations,
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly keys: ApiKeys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @returns the updated account, or `undefined` if it does not exist
   * @throws LastAdministratorError if the last administrator would be disabled or lose the role
   * @throws the {@link checkStillSignedIn} errors
   */
  change(id: number, state: AccountStateChange, actor: Actor = {}): Promise<AccountRow | undefined> {
    const { role, disabled } = state;
    return this.revocations.inTransaction(async (db, revoke) => {
      const administrators = await this.store.lockAdministrators(db);
      if (actor.caller) await checkStillSignedIn(actor.caller, db);
      if ((role !== undefined && role !== 'admin') || disabled === true) checkNotLast(id, administrators);
      const account = await this.store.lock(id, db);
      if (account === undefined) return undefined;
      const changes = changesOf(account, state);
      if (changes.length === 0) return account;
      for (const kind of changes) {
        await this.audit.record({ kind, accountId: id, ...recordOf(actor), ...detailOf(kind, state) }, db);
      }
      revoke('account', id);
      if (disabled === true) {
        // They stay revoked: enabling the account does not restore a token or a key.
        await this.store.incrementTokenGeneration(id, undefined, db);
        await this.sessions.removeAllOf(id, undefined, db);
        await this.keys.removeAllOf(id, db);
      }
      return this.store.update(id, { role, disabledAt: disabledAt(account, disabled) }, db);
    });
  }

  /**
   * Deletes an account with its sessions, its keys and its unsent mails. Its orders and posts stay, and lose their owner.
   *
   * @returns whether the account existed
   * @throws LastAdministratorError if the account is the last administrator
   * @throws the {@link checkStillSignedIn} errors
   */
  remove(id: number, actor: Actor = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      const administrators = await this.store.lockAdministrators(db);
      if (actor.caller) await checkStillSignedIn(actor.caller, db);
      checkNotLast(id, administrators);
      const account = await this.store.lock(id, db);
      if (account === undefined) return false;
      revoke('account', id);
      await this.outbox.dropPending(id, db);
      await this.store.remove(id, db);
      await this.audit.record({ kind: 'account-deleted', accountId: id, ...recordOf(actor) }, db);
      return true;
    });
  }
}

function disabledAt(account: AccountRow, disabled: boolean | undefined): Date | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (account.disabledAt ?? new Date()) : null;
}

/** Returns the audit events for a change. A value that is already set adds no event. */
function changesOf(account: AccountRow, { role, disabled }: AccountStateChange): AuditKind[] {
  const kinds: AuditKind[] = [];
  if (role !== undefined && role !== account.role) kinds.push('role-changed');
  if (disabled !== undefined && disabled !== (account.disabledAt !== null))
    kinds.push(disabled ? 'account-disabled' : 'account-enabled');
  return kinds;
}

function detailOf(kind: AuditKind, { role }: AccountStateChange) {
  return kind === 'role-changed' && role !== undefined ? { detail: { role } } : {};
}

/** @param administrators the enabled administrators, locked by the caller */
function checkNotLast(id: number, administrators: readonly { readonly id: number }[]): void {
  const isOne = administrators.some((administrator) => administrator.id === id);
  if (isOne && administrators.length === 1) throw new LastAdministratorError();
}
