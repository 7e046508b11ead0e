import { Database, isAmong, type Queries, statement, UniqueViolationError } from '@app/persistence';
import { emailKey } from '../email-key';
import { type Slice, sortedList } from '@app/paging';
import { Injectable } from '@nestjs/common';
import type { EmailLinkRow } from './email-link.table';

/** A link to insert. Its key is derived from the e-mail. */
export type NewEmailLink = Omit<EmailLinkRow, 'id' | 'emailKey' | 'endsSince'> & {
  readonly endsSince?: Date;
};

/** Runs the queries on mailed links that confirm an e-mail or undo its change. */
@Injectable()
export class EmailLinksStore {
  constructor(private readonly db: Database) {}

  async insert(link: NewEmailLink, db: Queries): Promise<void> {
    await insert.execute(db, { ...link, endsSince: link.endsSince ?? null, emailKey: keyOf(link.email) });
  }

  /** Finds a link that has not expired and belongs to an enabled account. */
  find(
    kind: EmailLinkRow['kind'],
    tokenHash: string,
    db: Queries = this.db,
  ): Promise<EmailLinkRow | undefined> {
    return byToken.first(db, { kind, tokenHash, now: new Date() });
  }

  /**
   * Finds a link like {@link find}, and locks its account, so that other transactions wait until this transaction ends. If a
   * link is used twice at once, the second use finds no link.
   */
  async lock(kind: EmailLinkRow['kind'], tokenHash: string, db: Queries): Promise<EmailLinkRow | undefined> {
    await lockOwner.execute(db, { kind, tokenHash });
    return this.find(kind, tokenHash, db);
  }

  /** Returns the e-mail that an account asked to change to and has not confirmed yet. */
  async findPending(accountId: number, db: Queries): Promise<string | undefined> {
    const link = await pendingOf.first(db, { accountId, now: new Date() });
    return link?.email;
  }

  /** Revokes the links by which former owners get an e-mail back. */
  async removeReservations(email: string, db: Queries): Promise<void> {
    await removeReservations.execute(db, { key: keyOf(email) });
  }

  /** Lists an account's links, oldest first. */
  list(accountId: number, slice: Slice, db: Queries = this.db): Promise<EmailLinkRow[]> {
    return list(db, slice, { accountId });
  }

  /** Revokes the links that confirm an e-mail for an account. */
  async removePending(accountId: number, db: Queries): Promise<void> {
    await removeConfirmLinks.execute(db, { accountId });
  }

  /** Revokes every link to an account, so that earlier mails cannot change it any more. */
  async removeAllOf(accountId: number, db: Queries): Promise<void> {
    await removeAll.execute(db, { accountId });
  }

  /** Returns the e-mails that an account had within a week, unless an operator revoked their links. */
  async formerEmails(accountId: number, db: Queries): Promise<string[]> {
    const links = await undoLinks.all(db, { accountId, now: new Date() });
    return links.map(({ email }) => email);
  }

  /** Revokes a link that undoes a change, and the links that undo later changes. */
  async removeUndoFrom({ accountId, id }: EmailLinkRow, db: Queries): Promise<void> {
    await removeUndo.execute(db, { accountId, id });
  }

  /** Deletes links that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { before, limit });
  }
}

/**
 * Checks that nobody else may get the e-mail back. Call it after each write that sets an account's e-mail, because the former
 * owner's link may have been committed while the write waited.
 *
 * @throws UniqueViolationError `account_email_key_unique`, as if the former owner had the e-mail
 */
export async function checkUnreserved(account: { id: number; email: string }, db: Queries): Promise<void> {
  const reserved = await reservedFor.first(db, { key: keyOf(account.email), now: new Date() });
  if (reserved !== undefined && reserved.accountId !== account.id)
    throw new UniqueViolationError('account_email_key_unique');
}

function keyOf(email: string): string {
  return emailKey(email) ?? email;
}

type InsertedLink = Omit<EmailLinkRow, 'id'>;

const insert = statement((link: InsertedLink, db) =>
  db.insertInto('emailLink').values({
    kind: link.kind,
    accountId: link.accountId,
    email: link.email,
    emailKey: link.emailKey,
    tokenHash: link.tokenHash,
    expiresAt: link.expiresAt,
    isUndoable: link.isUndoable,
    endsSince: link.endsSince,
  } satisfies InsertedLink),
);

/** Revokes the links that confirm an e-mail for an account. */
export const removeConfirmLinks = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('emailLink').where('accountId', '=', accountId).where('kind', '=', 'confirm'),
);

const removeAll = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('emailLink').where('accountId', '=', accountId),
);

const removeReservations = statement(({ key }: { key: string }, db) =>
  db.deleteFrom('emailLink').where('emailKey', '=', key).where('kind', '=', 'undo'),
);

const undoLinks = statement(({ accountId, now }: { accountId: number; now: Date }, db) =>
  db
    .selectFrom('emailLink')
    .select('email')
    .where('accountId', '=', accountId)
    .where('kind', '=', 'undo')
    .where('expiresAt', '>', now)
    .orderBy('id'),
);

const removeUndo = statement(({ accountId, id }: { accountId: number; id: number }, db) =>
  db
    .deleteFrom('emailLink')
    .where('accountId', '=', accountId)
    .where('kind', '=', 'undo')
    .where('id', '>=', id),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db.selectFrom('emailLink').where('expiresAt', '<', before).limit(limit);
  return db
    .deleteFrom('emailLink')
    .where((row) => isAmong(db, row.ref('accountId'), expired.select('accountId')))
    .where((row) => isAmong(db, row.ref('id'), expired.select('id')));
});

interface GivenToken {
  readonly kind: EmailLinkRow['kind'];
  readonly tokenHash: string;
  readonly now: Date;
}

const byToken = statement(({ kind, tokenHash, now }: GivenToken, db) =>
  db
    .selectFrom('emailLink')
    .innerJoin('account', 'account.id', 'emailLink.accountId')
    .selectAll('emailLink')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expiresAt', '>', now)
    .where('disabledAt', 'is', null),
);

const lockOwner = statement(({ kind, tokenHash }: Omit<GivenToken, 'now'>, db) =>
  db
    .selectFrom('account')
    .select('id')
    .where('id', '=', (account) =>
      account
        .selectFrom('emailLink')
        .select('accountId')
        .where('tokenHash', '=', tokenHash)
        .where('kind', '=', kind),
    )
    .forNoKeyUpdate(),
);

const list = sortedList(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('emailLink').selectAll().where('accountId', '=', accountId),
);

const pendingOf = statement(({ accountId, now }: { accountId: number; now: Date }, db) =>
  db
    .selectFrom('emailLink')
    .select('email')
    .where('accountId', '=', accountId)
    .where('kind', '=', 'confirm')
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .limit(1),
);

const reservedFor = statement(({ key, now }: { key: string; now: Date }, db) =>
  db
    .selectFrom('emailLink')
    .select('accountId')
    .where('emailKey', '=', key)
    .where('kind', '=', 'undo')
    .where('isUndoable', '=', true)
    .where('expiresAt', '>', now)
    .orderBy('id')
    .limit(1),
);
