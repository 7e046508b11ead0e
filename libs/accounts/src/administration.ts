import type { Outbox } from '@app/mail';
import type { AccountRow, Queries } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import type { ApiKeys } from './api-keys';
import type { AuditKind, AuditLog } from './audit-log';
import type { EmailLinksStore } from './email-verification/email-links.store';
import { LastAdministratorError } from './errors';
import type { Operator } from './operator';
import type { Revocations } from './revocation/revocations';
import type { SessionsStore } from './sessions/sessions.store';

/** A change of role or status; absent fields stay unchanged. */
export interface AccountStateChange {
  readonly role?: 'user' | 'admin';
  readonly disabled?: boolean;
}

/**
 * Changes of accounts by operators. Each is one serializable transaction that counts the administrators, so that two
 * concurrent changes cannot remove the last one.
 */
export class Administration {
  constructor(
    private readonly revocations: Revocations,
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly keys: ApiKeys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    private readonly links: EmailLinksStore,
  ) {}

  /**
   * @returns the updated account, or `undefined` if it does not exist
   * @throws LastAdministratorError if no administrator would be left
   */
  change(id: number, state: AccountStateChange, operator: Operator = {}): Promise<AccountRow | undefined> {
    const { role, disabled } = state;
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.store.findById(id, db);
      if (account === undefined) return undefined;
      if (role === 'user' || disabled === true) await this.checkNotLast(id, db);
      const changes = changesOf(account, state);
      if (changes.length === 0) return account;
      for (const kind of changes) {
        await this.audit.record({ kind, accountId: id, ...operator, ...detailOf(kind, state) }, db);
      }
      revoke('account', id);
      if (disabled === true) {
        // Revoked for good: enabling the account does not restore a token or a key.
        await this.store.incrementTokenGeneration(id, undefined, db);
        await this.sessions.removeAllOf(id, undefined, db);
        await this.keys.removeAllOf(id, db);
      }
      return this.store.update(id, { role, disabledAt: disabledAt(account, disabled) }, db);
    });
  }

  /**
   * Deletes an account with its sessions and keys, and the mails to it that are not sent yet; its orders and posts stay, without an
   * owner.
   *
   * @returns whether it existed
   * @throws LastAdministratorError if no administrator would be left
   */
  remove(id: number, operator: Operator = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      await this.checkNotLast(id, db);
      const account = await this.store.findById(id, db);
      if (account === undefined) return false;
      revoke('account', id);
      await this.dropMails(account, db);
      await this.store.remove(id, db);
      await this.audit.record({ kind: 'account-removed', accountId: id, ...operator }, db);
      return true;
    });
  }

  private async dropMails({ id, email }: AccountRow, db: Queries): Promise<void> {
    const pending = await this.links.findPending(id, db);
    for (const recipient of new Set([email, pending ?? email])) await this.outbox.dropPending(recipient, db);
  }

  private async checkNotLast(id: number, db: Queries): Promise<void> {
    const administrators = await this.store.administrators(db);
    const isOne = administrators.some((administrator) => administrator.id === id);
    if (isOne && administrators.length === 1) {
      throw new LastAdministratorError('the last administrator cannot be removed');
    }
  }
}

function disabledAt(account: AccountRow, disabled: boolean | undefined): Date | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (account.disabledAt ?? new Date()) : null;
}

/** The audit events of a change; none for a value that is already set. */
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
