import { type AccountRow, type Database, inTransaction, type Queries } from '@app/persistence';
import type { AccountsStore } from './accounts.store';
import { LastAdministratorError } from './errors';

/** What an operator may change about somebody's account; what is absent stays as it is. */
export interface Standing {
  readonly role?: 'user' | 'admin';
  readonly disabled?: boolean;
}

/**
 * What operators do to accounts. Every change is one serializable transaction that counts the
 * administrators, so that two operators cannot together take away the last one.
 */
export class Administration {
  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
  ) {}

  /**
   * @returns the account as it is now, or `undefined` if there is none with this id
   * @throws LastAdministratorError when nobody would be left to administer
   */
  change(id: number, { role, disabled }: Standing): Promise<AccountRow | undefined> {
    return inTransaction(this.db, async (db) => {
      const account = await this.store.findById(id, db);
      if (account === undefined) return undefined;
      if (role === 'user' || disabled === true) await this.keepAnother(id, db);
      return this.store.update(id, { role, disabledAt: disabledAt(account, disabled) }, db);
    });
  }

  /**
   * Takes an account away for good; what it ordered and posted stays, without an owner.
   *
   * @returns whether there was one with this id
   * @throws LastAdministratorError when nobody would be left to administer
   */
  remove(id: number): Promise<boolean> {
    return inTransaction(this.db, async (db) => {
      await this.keepAnother(id, db);
      return this.store.remove(id, db);
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
