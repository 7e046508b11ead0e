import type { AccountRow, Queries } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import type { AuditKind, AuditLog } from './audit-log';
import { LastAdministratorError } from './errors';
import type { Revocations } from './revocation/revocations';
import type { SessionsStore } from './sessions/sessions.store';

/** What an operator may change about somebody's account; what is absent stays as it is. */
export interface AccountStateChange {
  readonly role?: 'user' | 'admin';
  readonly disabled?: boolean;
}

/** Who does it, and from where: what the log needs to know. */
export interface Operator {
  readonly actorId?: number;
  readonly ip?: string;
}

/**
 * What operators do to accounts. Every change is one serializable transaction that counts the
 * administrators, so that two operators cannot together take away the last one.
 */
export class Administration {
  constructor(
    private readonly revocations: Revocations,
    private readonly store: AccountsStore,
    private readonly sessions: SessionsStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @returns the account as it is now, or `undefined` if there is none with this id
   * @throws LastAdministratorError when nobody would be left to administer
   */
  change(id: number, state: AccountStateChange, operator: Operator = {}): Promise<AccountRow | undefined> {
    const { role, disabled } = state;
    return this.revocations.inTransaction(async (db, revoke) => {
      const account = await this.store.findById(id, db);
      if (account === undefined) return undefined;
      if (role === 'user' || disabled === true) await this.keepAnother(id, db);
      const changes = changesOf(account, state);
      if (changes.length === 0) return account;
      for (const kind of changes) {
        await this.audit.record({ kind, accountId: id, ...operator, ...detailOf(kind, state) }, db);
      }
      revoke('account', id);
      if (disabled === true) {
        // Every token of before ends for good: enabling the account does not bring one back.
        await this.store.beginEpoch(id, undefined, db);
        await this.sessions.removeAllOf(id, undefined, db);
      }
      return this.store.update(id, { role, disabledAt: disabledAt(account, disabled) }, db);
    });
  }

  /**
   * Takes an account away for good; what it ordered and posted stays, without an owner.
   *
   * @returns whether there was one with this id
   * @throws LastAdministratorError when nobody would be left to administer
   */
  remove(id: number, operator: Operator = {}): Promise<boolean> {
    return this.revocations.inTransaction(async (db, revoke) => {
      await this.keepAnother(id, db);
      revoke('account', id);
      const isRemoved = await this.store.remove(id, db);
      if (isRemoved) await this.audit.record({ kind: 'account-removed', accountId: id, ...operator }, db);
      return isRemoved;
    });
  }

  private async keepAnother(id: number, db: Queries): Promise<void> {
    const administrators = await this.store.administrators(db);
    const isOne = administrators.some((administrator) => administrator.id === id);
    if (isOne && administrators.length === 1) {
      throw new LastAdministratorError('the last administrator cannot be taken away');
    }
  }
}

function disabledAt(account: AccountRow, disabled: boolean | undefined): Date | null | undefined {
  if (disabled === undefined) return undefined;
  return disabled ? (account.disabledAt ?? new Date()) : null;
}

/** What really changes: asking for what is so already is no event. */
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
