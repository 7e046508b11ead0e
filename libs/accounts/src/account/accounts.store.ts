import { Database, type Queries, statement, storeTime } from '@app/persistence';
import { emailKey } from '../email-key';
import type { Slice } from '@app/paging';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from './account.table';
import { checkUnreserved, removeConfirmLinks } from './email-links.store';
import type { AccountState } from '../revocation/revocation-cache';

/** The columns of a new account. */
export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  /** Default `user`. */
  readonly role?: string;
  readonly emailVerifiedAt?: Date;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly fullName?: string;
  /** Default `null`: its owner chose the password. */
  readonly passwordChangeRequiredAt?: Date | null;
}

/** In place of a hash: no password matches it. */
export const noPassword = '!';

/** The end of an account's e-mail whose owner has given none. No mail is sent there (RFC 2606). */
export const placeholderEnd = '@trusted-issuer.invalid';

/** What is recorded of a sign-in in its account. */
export interface AccountSignIn {
  readonly id: number;
  /** The sign-in is not recorded if the account has another generation, or is disabled. */
  readonly tokenGeneration: number;
  readonly ip: string;
  /** A new hash of the same password; `null` keeps the stored one. */
  readonly passwordHash: string | null;
}

/** What is read with an account that signs in. */
export interface SignedInNow {
  /** How many sessions it has; of sign-ins at once, each may miss the others. */
  readonly sessions: number;
  /** The clock of the database, as {@link storeTime} selects it. */
  readonly storeTime: Date | null;
}

/** Columns to update; absent ones stay unchanged. */
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

/** What users may be sent of an account. */
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

/** Queries on accounts. */
@Injectable()
export class AccountsStore {
  constructor(private readonly db: Database) {}

  findById(id: number, db: Queries = this.db): Promise<AccountRow | undefined> {
    return byId.first(db, { id });
  }

  /**
   * Like {@link findById}, and no other transaction changes or removes the account until the end of this one. What depends on the
   * account locks it first, so that changes of one account follow one another.
   */
  lock(id: number, db: Queries): Promise<AccountRow | undefined> {
    return lockById.first(db, { id });
  }

  /** The columns that a user may be sent. */
  findUser(id: number, db: Queries = this.db): Promise<UserRow | undefined> {
    return userById.first(db, { id });
  }

  async findByEmail(email: string, db: Queries = this.db): Promise<AccountRow | undefined> {
    const key = emailKey(email);
    if (key === undefined) return undefined;
    return byEmailKey.first(db, { key });
  }

  /** Like {@link findByEmail} and {@link lock}. */
  async lockByEmail(email: string, db: Queries): Promise<AccountRow | undefined> {
    const key = emailKey(email);
    return key === undefined ? undefined : lockByEmailKey.first(db, { key });
  }

  /** The columns for the access check, without the password hash. */
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
    const created = await insert.one(db, {
      email,
      emailKey: keyOf(email),
      passwordHash,
      role,
      ...optional,
      now: new Date(),
    });
    await checkUnreserved(created, db);
    return created;
  }

  /**
   * Records a sign-in, with a new hash of the same password if there is one, and locks the account.
   *
   * @returns the account, with the number of its sessions
   */
  recordSignIn(signIn: AccountSignIn, db: Queries): Promise<(AccountRow & SignedInNow) | undefined> {
    return recordSignIn.first(db, { now: new Date(), ...signIn });
  }

  /** @throws UniqueViolationError `account_email_key_unique` if the e-mail is taken, or its former owner may get it back */
  async update(id: number, change: AccountChange, db: Queries = this.db): Promise<AccountRow | undefined> {
    if (Object.values(change).every((value) => value === undefined)) return this.findById(id, db);
    const columns = { ...change, ...derivedFrom(change) };
    const update = db.updateTable('account').set(columns).where('id', '=', id).returningAll();
    const updated = await update.executeTakeFirst();
    if (updated !== undefined && change.email !== undefined) await checkUnreserved(updated, db);
    return updated;
  }

  /**
   * Revokes all tokens of the account, and the links in mails that would change it.
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

  /** Replaces the token of a password reset; nothing happens without such an account. */
  async setResetToken(id: number, hash: string, expiresAt: Date, db: Queries): Promise<void> {
    await setResetToken.execute(db, { id, hash, expiresAt });
  }

  /** The account whose reset token has this hash, has not expired, and may be used: an account that is not disabled. */
  findByResetToken(hash: string, db: Queries = this.db): Promise<AccountRow | undefined> {
    return byResetToken.first(db, { hash, now: new Date() });
  }

  /** Like {@link findByResetToken} and {@link lock}: of two uses at once, the second finds no account. */
  lockByResetToken(hash: string, db: Queries): Promise<AccountRow | undefined> {
    return lockByResetToken.first(db, { hash, now: new Date() });
  }

  async remove(id: number, db: Queries = this.db): Promise<boolean> {
    return (await remove.count(db, { id })) > 0;
  }

  async hasAdministrator(db: Queries = this.db): Promise<boolean> {
    return (await anAdministrator.first(db, {})) !== undefined;
  }

  /** The administrators who are not disabled; no other transaction changes them until the end of this one. To be called before {@link lock}. */
  lockAdministrators(db: Queries): Promise<{ id: number }[]> {
    return lockAdministrators.all(db, {});
  }
}

/** A literal: the index of administrators does not serve a parameter. */
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

const byResetToken = statement((given: { hash: string; now: Date }, db) => ownerOfReset(db, given));

const lockByResetToken = statement((given: { hash: string; now: Date }, db) =>
  ownerOfReset(db, given).forNoKeyUpdate(),
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

/** In one order, so that two that lock several do not wait for each other. */
const lockAdministrators = statement((_given: {}, db) =>
  db
    .selectFrom('account')
    .select('id')
    .where('role', '=', administrator)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate(),
);

/** The link of a reset was sent to the former owner, or before the tokens were revoked. */
const noResetToken = { passwordResetToken: null, passwordResetExpiresAt: null };

/** Columns that change with the e-mail; it is not verified, unless the change sets that. */
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
