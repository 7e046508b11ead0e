import type { Queries } from '@app/persistence';
import type { AccountRow } from './account.table';

/** An account as hooks see it: without hashes, tokens and addresses. */
export type HookedAccount = Pick<
  AccountRow,
  | 'createdAt'
  | 'disabledAt'
  | 'email'
  | 'emailVerifiedAt'
  | 'firstName'
  | 'fullName'
  | 'id'
  | 'lastName'
  | 'passwordChangedAt'
  | 'role'
>;

/**
 * A plugin's functions that run in the transaction that creates, changes or deletes an account. If a function throws, the
 * transaction is rolled back.
 */
export interface AccountHooks {
  /** Runs after an account was created, in any way. Its profile follows in the same transaction. */
  readonly 'account.created'?: (account: HookedAccount, db: Queries) => Promise<void>;
  /** Runs after an account's e-mail, password, role or status was changed. `before` is the account before the change. */
  readonly 'account.changed'?: (account: HookedAccount, db: Queries, before: HookedAccount) => Promise<void>;
  /** Runs before an account and the rows that belong to it are deleted. */
  readonly 'account.deleted'?: (account: HookedAccount, db: Queries) => Promise<void>;
}

/** A program's account hooks, by plugin. */
export type PluginHooks = Readonly<Record<string, AccountHooks>>;

/** Runs a program's hooks, in plugin order. */
export class AccountHookRunner {
  /** Whether a hook needs the account before a change or deletion. */
  readonly needBefore: boolean;

  private readonly all: readonly AccountHooks[];

  constructor(byPlugin: PluginHooks = {}) {
    this.all = Object.values(byPlugin);
    this.needBefore = this.all.some((hooks) => hooks['account.changed'] ?? hooks['account.deleted']);
  }

  /** @param db the transaction that created the account */
  async created(account: AccountRow, db: Queries): Promise<void> {
    for (const hooks of this.all) await hooks['account.created']?.(hooked(account), db);
  }

  /** @param db the transaction that changed the account */
  async changed(account: AccountRow, db: Queries, before: AccountRow): Promise<void> {
    for (const hooks of this.all) await hooks['account.changed']?.(hooked(account), db, hooked(before));
  }

  /** @param db the transaction that deletes the account */
  async deleted(account: AccountRow, db: Queries): Promise<void> {
    for (const hooks of this.all) await hooks['account.deleted']?.(hooked(account), db);
  }
}

function hooked(account: AccountRow): HookedAccount {
  const { id, email, emailVerifiedAt, role, firstName, lastName, fullName } = account;
  const { disabledAt, passwordChangedAt, createdAt } = account;
  const names = { firstName, lastName, fullName };
  return { id, email, emailVerifiedAt, role, ...names, disabledAt, passwordChangedAt, createdAt };
}
