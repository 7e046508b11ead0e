import { createHash, randomUUID } from 'node:crypto';
import { Database, inTransaction, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { LinkedAccount } from '../access/sid';
import type { AccountRow } from '../account/account.table';
import { AccountsStore, type NewAccount, noPassword, placeholderEnd } from '../account/accounts.store';
import { AuditLog } from '../audit/audit-log';
import { IdentityConflictError } from '../errors';
import type { LinkedIdentities } from '../revocation/revocation-cache';
import { AccountsOptions } from '../options';

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

/** The accounts of issuers' subjects. */
@Injectable()
export class TrustedIdentitiesStore {
  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly audit: AuditLog,
    private readonly options: AccountsOptions,
  ) {}

  /**
   * Returns a subject's account, and creates it for a new subject while sign-up is open. No claim, including the e-mail, can
   * choose an existing account.
   *
   * @returns `undefined` if the account was deleted, the identity unlinked, or a new subject cannot sign up
   */
  async accountOf(identity: Identity): Promise<LinkedAccount | undefined> {
    const isOpen = this.options.isSignUpOpen;
    const row = (await this.find(identity)) ?? (isOpen ? await this.createFirst(identity) : undefined);
    if (row?.accountId === undefined || row.accountId === null) return undefined;
    return { accountId: row.accountId, identity: identityKey(identity) };
  }

  private async createFirst(identity: Identity): Promise<{ readonly accountId: number | null }> {
    try {
      const account = await inTransaction(this.db, (db) =>
        this.createAccount(identity, { linkedAt: null }, db),
      );
      return { accountId: account.id };
    } catch (error) {
      // Two first tokens at once: the other was first.
      const row = error instanceof IdentityConflictError ? await this.find(identity) : undefined;
      if (row === undefined) throw error;
      return row;
    }
  }

  /** @returns a `null` account if the account was deleted; `undefined` for an unknown subject */
  find(
    identity: Identity,
    db: Queries = this.db,
  ): Promise<{ readonly accountId: number | null } | undefined> {
    return byHash.first(db, { hash: identityKey(identity) });
  }

  /**
   * Creates a passwordless account for a subject.
   *
   * @param account its e-mail, if given; otherwise an address that receives no mail
   * @throws IdentityConflictError if the subject has an account
   * @throws UniqueViolationError `account_email_key_unique` if the e-mail is taken
   */
  async createAccount(
    identity: Identity,
    account: Partial<Omit<NewAccount, 'passwordHash'>> & {
      readonly ip?: string;
      readonly linkedAt?: null;
    },
    db: Queries,
  ): Promise<AccountRow> {
    const { linkedAt, ip, email = `${randomUUID()}${placeholderEnd}`, ...others } = account;
    const created = await this.accounts.insert({ ...others, email, passwordHash: noPassword }, db);
    await this.add(identity, created.id, db, linkedAt);
    const { issuer, subject } = identity;
    const detail = { issuer, subject };
    await this.audit.record({ kind: 'account-created', accountId: created.id, ip, detail }, db);
    return created;
  }

  /**
   * Links a subject to an account, which the calling function has locked.
   *
   * @param linkedAt older tokens are refused; default now
   * @throws IdentityConflictError if the subject already has an account, or the account already has a subject at the issuer
   */
  async add(
    identity: Identity,
    accountId: number,
    db: Queries,
    linkedAt: Date | null = new Date(),
  ): Promise<void> {
    const { issuer } = identity;
    const own = await this.list(accountId, db);
    const row = { hash: identityKey(identity), accountId, issuer, now: new Date(), linkedAt };
    if (own.some((ownIdentity) => ownIdentity.issuer === issuer) || !(await insert.first(db, row)))
      throw new IdentityConflictError();
  }

  /** Returns an account's identities, oldest first. */
  async list(accountId: number, db: Queries = this.db): Promise<OwnIdentity[]> {
    const rows = await ofAccount.all(db, { accountId });
    return rows.flatMap(({ issuer, createdAt }) => (issuer === null ? [] : [{ issuer, createdAt }]));
  }

  /** The identities of an account, with when they were linked. */
  async linkedTo(accountId: number): Promise<LinkedIdentities> {
    const rows = await ofAccount.all(this.db, { accountId });
    return new Map(rows.map(({ hash, linkedAt }) => [hash, linkedAt]));
  }

  /**
   * @param issuer `undefined` for all
   * @returns whether the account had an identity
   */
  async remove(accountId: number, issuer: string | undefined, db: Queries): Promise<boolean> {
    if (issuer === undefined) return (await endIdentities(accountId, new Date(0), db)) > 0;
    return (await remove.count(db, { accountId, issuer })) > 0;
  }
}

/** Hashes a list, so that different identities never give the same input. */
function identityKey({ issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url');
}

const byHash = statement(({ hash }: { hash: string }, db: Queries) =>
  db.selectFrom('trustedIdentity').select('accountId').where('hash', '=', hash),
);

interface NewIdentity {
  readonly hash: string;
  readonly accountId: number;
  readonly issuer: string;
  readonly now: Date;
  readonly linkedAt: Date | null;
}

/** Links a new identity. A deleted account's identity can be linked to a new account, because its owner came back. */
const insert = statement(({ hash, accountId, issuer, now, linkedAt }: NewIdentity, db: Queries) =>
  db
    .insertInto('trustedIdentity')
    .values({ hash, accountId, issuer, createdAt: now, linkedAt })
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ accountId, issuer, createdAt: now, linkedAt })
        .where('trustedIdentity.accountId', 'is', null),
    )
    .returning('hash'),
);

const ofAccount = statement(({ accountId }: { accountId: number }, db: Queries) =>
  db
    .selectFrom('trustedIdentity')
    .select(['hash', 'issuer', 'createdAt', 'linkedAt'])
    .where('accountId', '=', accountId)
    .orderBy('createdAt'),
);

/** Unlinks identities. The rows stay, because the issuer's next token would otherwise create a new account. */
const unlink = (db: Queries, accountId: number) =>
  db.updateTable('trustedIdentity').set({ accountId: null }).where('accountId', '=', accountId);

const remove = statement(({ accountId, issuer }: { accountId: number; issuer: string }, db: Queries) =>
  unlink(db, accountId).where('issuer', '=', issuer),
);

/** The end of identities when an account is recovered, whichever plugins the program has. */
export const identityAccess = { end: endIdentities, outlivesRecovery: false };

/** Ends identities of an account that were linked at a time or later. */
function endIdentities(accountId: number, since: Date, db: Queries): Promise<number> {
  return removeSince.count(db, { accountId, since });
}

const removeSince = statement(({ accountId, since }: { accountId: number; since: Date }, db: Queries) =>
  unlink(db, accountId).where('createdAt', '>=', since),
);
