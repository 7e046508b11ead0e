import { Database, inTransaction, type Queries, statement, storeTime } from '@app/persistence';
import { emailKey } from '../email-key';
import type { Slice } from '@app/paging';
import { sql } from 'kysely';
import { Injectable, Optional } from '@nestjs/common';
import { AccountHookRunner } from './account-hooks';
import type { AccountRow } from './account.table';
import { checkUnreserved, removeConfirmLinks } from './email-links.store';
import type { AccountState } from '../revocation/revocation-cache';

/** A new account's columns. */
export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  /** The role; default `user`. */
  readonly role?: string;
  readonly emailVerifiedAt?: Date;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly fullName?: string;
  /** The time since which the password must be changed; default `null`, because the owner chose the password. */
  readonly passwordChangeRequiredAt?: Date | null;
}

/** A value in place of a hash, which no password matches. */
export const noPassword = '!';

/** The placeholder e-mail ending for accounts that lack an e-mail address. Mail is never sent there (RFC 2606). */
export const placeholderEnd = '@trusted-issuer.invalid';

/** The sign-in facts that its account records. */
export interface AccountSignIn {
  readonly id: number;
  /** The generation that the account must still have. Nothing is recorded if it differs, or if the account is disabled. */
  readonly tokenGeneration: number;
  readonly ip: string;
  /** A new hash for the same password; `null` keeps the stored hash. */
  readonly passwordHash: string | null;
}

/** The values that are read along with an account that signs in. */
export interface SignedInNow {
  /** The number of sessions. Concurrent sign-ins may miss each other's sessions. */
  readonly sessions: number;
  /** The database clock, as {@link storeTime} selects it. */
  readonly storeTime: Date | null;
}

/** The columns to update; absent columns stay unchanged. */
export type AccountChange = Partial<
  Pick<
    AccountRow,
    | 'email'
    | 'emailVerifiedAt'
    | 'passwordHash'
    | 'passwordChangedAt'
    | 'passwordChangeRequiredAt'
    | 'role'
    | 'disabledAt'
  >
>;

/** The account columns that users may see. */
export type UserRow = Pick<AccountRow, (typeof userColumns)[number]>;

const userColumns = ['id', 'email', 'role', 'lastLoginIp'] as const;
const stateColumns = [
  'id',
  'role',
  'emailKey',
  'emailChangedAt',
  'emailVerifiedAt',
  'disabledAt',
  'tokenGeneration',
  'keptSession',
  'tokensRevokedAt',
  'passwordChangeRequiredAt',
] as const;

/** Runs the queries on accounts. */
@Injectable()
export class AccountsStore {
  /** @param hooks the program's hooks; default no hooks, for code that only reads accounts */
  constructor(
    private readonly db: Database,
    @Optional() private readonly hooks: AccountHookRunner = new AccountHookRunner(),
  ) {}

  findById(id: number, db: Queries = this.db): Promise<AccountRow | undefined> {
    return byId.first(db, { id });
  }

  /**
   * Finds an account like {@link findById}, and locks it: no other transaction can change or remove it until this transaction
   * ends. Lock the account before you change anything that depends on it, so that the changes happen in turn.
   */
  lock(id: number, db: Queries): Promise<AccountRow | undefined> {
    return lockById.first(db, { id });
  }

  /** Returns the columns that a user may see. */
  findUser(id: number, db: Queries = this.db): Promise<UserRow | undefined> {
    return userById.first(db, { id });
  }

  async findByEmail(email: string, db: Queries = this.db): Promise<AccountRow | undefined> {
    const key = emailKey(email);
    if (key === undefined) return undefined;
    return byEmailKey.first(db, { key });
  }

  /** Finds an account like {@link findByEmail}, and locks it like {@link lock}. */
  async lockByEmail(email: string, db: Queries): Promise<AccountRow | undefined> {
    const key = emailKey(email);
    return key === undefined ? undefined : lockByEmailKey.first(db, { key });
  }

  /** Returns the columns for the access check, without the password hash. */
  stateOf(id: number, db: Queries = this.db): Promise<AccountState | undefined> {
    return stateById.first(db, { id });
  }

  /** @param email the e-mail of the only account to list, in any spelling; default all accounts */
  async list(
    { limit, offset, after }: Slice,
    { email }: { readonly email?: string } = {},
    db: Queries = this.db.replica,
  ): Promise<AccountRow[]> {
    const key = email === undefined ? undefined : emailKey(email);
    if (email !== undefined && key === undefined) return [];
    const all = db.selectFrom('account').selectAll().orderBy('id').limit(limit);
    const listed = key === undefined ? all : all.where('emailKey', '=', key);
    return (after === undefined ? listed.offset(offset) : listed.where('id', '>', after)).execute();
  }

  /** @throws UniqueViolationError `account_email_key_unique` if the e-mail is taken, or its former owner may get it back */
  async insert(account: NewAccount, db: Queries = this.db): Promise<AccountRow> {
    const { email, passwordHash, role = 'user' } = account;
    const { firstName = null, lastName = null, fullName = null, emailVerifiedAt = null } = account;
    const { passwordChangeRequiredAt = null } = account;
    const optional = { firstName, lastName, fullName, emailVerifiedAt, passwordChangeRequiredAt };
    const values = { email, emailKey: keyOf(email), passwordHash, role, ...optional, now: new Date() };
    return inTransaction(db, async (queries) => {
      const created = await insert.one(queries, values);
      await checkUnreserved(created, queries);
      await this.hooks.created(created, queries);
      return created;
    });
  }

  /**
   * Records a sign-in and locks the account. Stores the new hash if the sign-in has a new hash for the same password.
   *
   * @returns the account, with its number of sessions
   */
  recordSignIn(signIn: AccountSignIn, db: Queries): Promise<(AccountRow & SignedInNow) | undefined> {
    return recordSignIn.first(db, { now: new Date(), ...signIn });
  }

  /** @throws UniqueViolationError `account_email_key_unique` if the e-mail is taken, or its former owner may get it back */
  async update(id: number, change: AccountChange, db: Queries = this.db): Promise<AccountRow | undefined> {
    if (Object.values(change).every((value) => value === undefined)) return this.findById(id, db);
    const columns = { ...change, ...derivedFrom(change) };
    return inTransaction(db, async (queries) => {
      const before = await this.before(id, queries);
      const update = queries.updateTable('account').set(columns).where('id', '=', id).returningAll();
      const updated = await update.executeTakeFirst();
      if (updated !== undefined && change.email !== undefined) await checkUnreserved(updated, queries);
      if (updated && before) await this.hooks.changed(updated, queries, before);
      return updated;
    });
  }

  /**
   * Revokes all the account's tokens, and the links in mails that would change it.
   *
   * @param keptSession the sign-in that stays valid, if any
   * @returns whether the account exists
   */
  async incrementTokenGeneration(id: number, keptSession: string | undefined, db: Queries): Promise<boolean> {
    const count = await incrementTokenGeneration.count(db, {
      id,
      keptSession: keptSession ?? null,
      now: new Date(),
    });
    await removeConfirmLinks.execute(db, { accountId: id });
    return count > 0;
  }

  /** Replaces the password reset token. Does nothing if the account is missing. */
  async setResetToken(id: number, hash: string, expiresAt: Date, db: Queries): Promise<void> {
    await setResetToken.execute(db, { id, hash, expiresAt });
  }

  /** Finds the account with this reset token hash. The token must not have expired, and the account must be enabled. */
  findByResetToken(hash: string, db: Queries = this.db): Promise<AccountRow | undefined> {
    return byResetToken.first(db, { hash, now: new Date() });
  }

  /**
   * Finds an account like {@link findByResetToken}, and locks it like {@link lock}. If a token is used twice at once, the second
   * use finds no account.
   */
  lockByResetToken(hash: string, db: Queries): Promise<AccountRow | undefined> {
    return lockByResetToken.first(db, { hash, now: new Date() });
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return inTransaction(db, async (queries) => {
      const before = await this.before(id, queries);
      if (before) await this.hooks.deleted(before, queries);
      return (await remove.count(queries, { id })) > 0;
    });
  }

  async hasAdministrator(db: Queries = this.db): Promise<boolean> {
    return (await anAdministrator.first(db, {})) !== undefined;
  }

  /**
   * Returns the enabled administrators, and locks them: no other transaction can change them until this transaction ends. Call
   * it before {@link lock}.
   */
  lockAdministrators(db: Queries): Promise<{ id: number }[]> {
    return lockAdministrators.all(db, {});
  }

  /** Locks and returns an account that is about to change; `undefined` without a hook that reads it. */
  private async before(id: number, db: Queries): Promise<AccountRow | undefined> {
    return this.hooks.needBefore ? this.lock(id, db) : undefined;
  }
}

/** The role as a literal, because the administrator index does not serve a parameter. */
const administrator = sql.lit('admin');

const byId = statement(({ id }: { id: number }, db) =>
  db.selectFrom('account').selectAll().where('id', '=', id),
);

const lockById = statement(({ id }: { id: number }, db) =>
  db.selectFrom('account').selectAll().where('id', '=', id).forNoKeyUpdate(),
);

const userById = statement(({ id }: { id: number }, db) =>
  db.selectFrom('account').select(userColumns).where('id', '=', id),
);

const stateById = statement(({ id }: { id: number }, db) =>
  db.selectFrom('account').select(stateColumns).where('id', '=', id),
);

const byEmailKey = statement(({ key }: { key: string }, db) =>
  db.selectFrom('account').selectAll().where('emailKey', '=', key),
);

const lockByEmailKey = statement(({ key }: { key: string }, db) =>
  db.selectFrom('account').selectAll().where('emailKey', '=', key).forNoKeyUpdate(),
);

interface InsertedAccount extends Pick<
  AccountRow,
  'email' | 'emailKey' | 'emailVerifiedAt' | 'passwordHash' | 'passwordChangeRequiredAt' | 'role'
> {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fullName: string | null;
  readonly now: Date;
}

const insert = statement((account: InsertedAccount, db) =>
  db
    .insertInto('account')
    .values({
      email: account.email,
      emailKey: account.emailKey,
      emailVerifiedAt: account.emailVerifiedAt,
      passwordHash: account.passwordHash,
      role: account.role,
      firstName: account.firstName,
      lastName: account.lastName,
      fullName: account.fullName,
      passwordChangedAt: account.now,
      passwordChangeRequiredAt: account.passwordChangeRequiredAt,
      createdAt: account.now,
    })
    .returningAll(),
);

const recordSignIn = statement(
  ({ id, tokenGeneration, ip, passwordHash, now }: AccountSignIn & { now: Date }, db) =>
    db
      .updateTable('account')
      .set((row) => ({
        passwordHash: row.fn.coalesce(row.val(passwordHash), 'passwordHash'),
        lastLoginIp: ip,
        lastLoginAt: now,
      }))
      .where('id', '=', id)
      .where('tokenGeneration', '=', tokenGeneration)
      .where('disabledAt', 'is', null)
      .returningAll()
      .returning((row) =>
        row
          .selectFrom('session')
          .select(row.fn.countAll<number>().as('count'))
          .where('session.accountId', '=', row.ref('account.id'))
          .where('session.expiresAt', '>', now)
          .$asScalar()
          .as('sessions'),
      )
      .returning(sql<Date | null>`${storeTime(db)}`.as('storeTime')),
);

const incrementTokenGeneration = statement(
  ({ id, keptSession, now }: { id: number; keptSession: string | null; now: Date }, db) =>
    db
      .updateTable('account')
      .set((row) => ({
        tokenGeneration: row('tokenGeneration', '+', 1),
        tokensRevokedAt: now,
        keptSession,
        ...noResetToken,
      }))
      .where('id', '=', id),
);

const setResetToken = statement(
  ({ id, hash, expiresAt }: { id: number; hash: string; expiresAt: Date }, db) =>
    db
      .updateTable('account')
      .set({ passwordResetToken: hash, passwordResetExpiresAt: expiresAt })
      .where('id', '=', id),
);

const byResetToken = statement((parameters: { hash: string; now: Date }, db) => ownerOfReset(db, parameters));

const lockByResetToken = statement((parameters: { hash: string; now: Date }, db) =>
  ownerOfReset(db, parameters).forNoKeyUpdate(),
);

function ownerOfReset(db: Queries, { hash, now }: { hash: string; now: Date }) {
  return db
    .selectFrom('account')
    .selectAll()
    .where('passwordResetToken', '=', hash)
    .where('passwordResetExpiresAt', '>', now)
    .where('disabledAt', 'is', null);
}

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('account').where('id', '=', id));

const anAdministrator = statement((_given: {}, db) =>
  db.selectFrom('account').select('id').where('role', '=', administrator).limit(1),
);

/** Locks the administrators in a fixed order, so that concurrent transactions do not wait for each other. */
const lockAdministrators = statement((_given: {}, db) =>
  db
    .selectFrom('account')
    .select('id')
    .where('role', '=', administrator)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** The columns that revoke the reset link, because it was sent to the former owner or before the tokens were revoked. */
const noResetToken = { passwordResetToken: null, passwordResetExpiresAt: null };

/** Returns the columns that change with the e-mail. The new e-mail is unverified unless the change says that it is verified. */
function derivedFrom({ email, emailVerifiedAt = null }: AccountChange) {
  if (email === undefined) return {};
  return { emailKey: keyOf(email), emailChangedAt: new Date(), emailVerifiedAt, ...noResetToken };
}

function keyOf(email: string): string {
  const key = emailKey(email);
  if (key === undefined)
    throw new TypeError('the e-mail of an account must be validated before it is stored');
  return key;
}
