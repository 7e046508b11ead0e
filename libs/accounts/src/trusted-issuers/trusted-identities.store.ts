import { randomUUID } from 'node:crypto';
import { type Database, inTransaction, type Queries, statement } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { type AccountsStore, type NewAccount, noPassword, placeholderEnd } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import { IdentityConflictError } from '../errors';
import { hashOf } from './issuer-tokens';

/** A subject of an issuer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** An identity of an account, without its subject. */
export interface OwnIdentity {
  readonly issuer: string;
  readonly createdAt: Date;
}

/** Which account a subject of an issuer has. */
export class TrustedIdentitiesStore {
  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The account of a subject; it is created if there was none. Nothing in the token chooses an existing account: not its e-mail either.
   *
   * @returns `undefined` if it was deleted
   */
  async accountOf(identity: Identity): Promise<number | undefined> {
    const found = await this.find(identity);
    if (found !== undefined) return found.accountId ?? undefined;
    try {
      return await inTransaction(this.db, async (db) => (await this.createAccount(identity, {}, db)).id);
    } catch (error) {
      // Two first tokens at once: the other was first.
      if (!(error instanceof IdentityConflictError)) throw error;
      return (await this.find(identity))?.accountId ?? undefined;
    }
  }

  /** @returns without an account if that was deleted; `undefined` for a subject that never had one */
  find(
    identity: Identity,
    db: Queries = this.db,
  ): Promise<{ readonly accountId: number | null } | undefined> {
    return byHash.first(db, { hash: keyOf(identity) });
  }

  /**
   * Creates an account without a password for a subject.
   *
   * @param account without an e-mail it gets one that receives nothing
   * @throws IdentityConflictError if the subject has an account
   * @throws UniqueViolationError `account_email_key_unique` if the e-mail is taken
   */
  async createAccount(
    identity: Identity,
    account: Partial<Omit<NewAccount, 'passwordHash'>> & { readonly ip?: string },
    db: Queries,
  ): Promise<AccountRow> {
    const { ip, email = `${randomUUID()}${placeholderEnd}`, ...others } = account;
    const created = await this.accounts.insert({ ...others, email, passwordHash: noPassword }, db);
    await this.add(identity, created.id, db);
    const { issuer, subject } = identity;
    const detail = { issuer, subject };
    await this.audit.record({ kind: 'account-created', accountId: created.id, ip, detail }, db);
    return created;
  }

  /**
   * Gives a subject to an account, which the caller has locked.
   *
   * @throws IdentityConflictError if the subject has an account, or the account another subject of the issuer
   */
  async add(identity: Identity, accountId: number, db: Queries): Promise<void> {
    const { issuer } = identity;
    const own = await this.list(accountId, db);
    const row = { hash: keyOf(identity), accountId, issuer, now: new Date() };
    if (own.some((other) => other.issuer === issuer) || !(await insert.first(db, row)))
      throw new IdentityConflictError();
  }

  /** Those of an account, oldest first. */
  async list(accountId: number, db: Queries = this.db): Promise<OwnIdentity[]> {
    const rows = await ofAccount.all(db, { accountId });
    return rows.flatMap(({ issuer, createdAt }) => (issuer === null ? [] : [{ issuer, createdAt }]));
  }

  /**
   * @param issuer `undefined` for all
   * @returns whether the account had one
   */
  async remove(accountId: number, issuer: string | undefined, db: Queries): Promise<boolean> {
    if (issuer === undefined) return (await endIdentities(accountId, new Date(0), db)) > 0;
    return (await remove.count(db, { accountId, issuer })) > 0;
  }
}

function keyOf({ issuer, subject }: Identity): string {
  return hashOf([issuer, subject]);
}

const byHash = statement(({ hash }: { hash: string }, db: Queries) =>
  db.selectFrom('trustedIdentity').select('accountId').where('hash', '=', hash),
);

interface NewIdentity {
  readonly hash: string;
  readonly accountId: number;
  readonly issuer: string;
  readonly now: Date;
}

/** That of a deleted account may get another one: its owner came back. */
const insert = statement(({ hash, accountId, issuer, now }: NewIdentity, db: Queries) =>
  db
    .insertInto('trustedIdentity')
    .values({ hash, accountId, issuer, createdAt: now })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ accountId, issuer, createdAt: now })
        .where('trustedIdentity.accountId', 'is', null),
    )
    .returning('hash'),
);

const ofAccount = statement(({ accountId }: { accountId: number }, db: Queries) =>
  db
    .selectFrom('trustedIdentity')
    .select(['issuer', 'createdAt'])
    .where('accountId', '=', accountId)
    .orderBy('createdAt'),
);

const remove = statement(({ accountId, issuer }: { accountId: number; issuer: string }, db: Queries) =>
  db.deleteFrom('trustedIdentity').where('accountId', '=', accountId).where('issuer', '=', issuer),
);

/** Ends identities of an account that were linked at a time or later. */
export function endIdentities(accountId: number, since: Date, db: Queries): Promise<number> {
  return removeSince.count(db, { accountId, since });
}

const removeSince = statement(({ accountId, since }: { accountId: number; since: Date }, db: Queries) =>
  db.deleteFrom('trustedIdentity').where('accountId', '=', accountId).where('createdAt', '>=', since),
);
