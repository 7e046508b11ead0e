import { randomUUID } from 'node:crypto';
import { type Database, isAmong, type Queries, Queue, retryAt, statement } from '@app/persistence';
import { z } from 'zod';
import type { MailRow } from './mail.table';
import type { MailText, NewMail, OutgoingMail } from '../mail';
import { seal, type SealKeys, unseal } from './seal';

/** The part of a list to read, newest first. */
export interface OutboxSlice {
  readonly limit: number;
  readonly offset: number;
  /** Selects only mails before this id; `offset` is ignored then. */
  readonly after?: number;
}

/** A mail claimed by a single program. */
export interface ClaimedMail extends OutgoingMail {
  readonly id: number;
  readonly kind: string;
  /** The number of attempts, including the current attempt. */
  readonly attempts: number;
  readonly expiresAt: Date;
}

/** A mail of the outbox; `text` is absent once it is sent, given up, or encrypted by an unknown key. */
export type OutboxEntry = Omit<MailRow, 'sealed'> & { readonly text?: MailText };

/** A mail without its text. */
export type MailHeader = Pick<MailRow, 'id' | 'kind' | 'recipient' | 'createdAt' | 'sentAt'>;

/** The time after which a claiming program is presumed dead; longer than any attempt. */
const CLAIM_MS = 600_000;

/** The mails to be sent, in the database. A mail is added in the transaction that causes it. */
export class Outbox {
  private readonly queue = new Queue<MailRow>({
    table: 'mail',
    lane: 'cause',
    key: 'recipient',
    order: 'unless-deferred',
  });

  /**
   * @param keys encrypt the texts
   * @param domain the sender domain, for `Message-ID`
   * @param wall milliseconds since 1970
   */
  constructor(
    private readonly db: Database,
    private readonly keys: SealKeys,
    private readonly domain: string,
    private readonly claimMs = CLAIM_MS,
    private readonly wall: () => number = () => Date.now(),
  ) {}

  /**
   * Adds a mail.
   *
   * @param db the transaction that causes the mail
   * @returns the mail id
   */
  async add(
    { kind, recipient, cause, accountId, goodForMs, ...text }: NewMail,
    db: Queries,
  ): Promise<number> {
    const now = new Date(this.wall());
    const { id } = await insert.one(db, {
      kind,
      recipient,
      cause,
      accountId: accountId ?? null,
      sealed: seal(JSON.stringify(text), this.keys),
      messageId: `<${randomUUID()}@${this.domain}>`,
      expiresAt: later(now, goodForMs),
      now,
    });
    return id;
  }

  /** Removes a mail that was added in the same transaction. */
  async withdraw(id: number, db: Queries): Promise<void> {
    await remove.execute(db, { id });
  }

  /** Drops the unsent mails about an account. */
  async dropPending(accountId: number, db: Queries): Promise<void> {
    await dropPending.execute(db, { accountId });
  }

  /** Gives up the unsent mails of a kind about an account, because their link or code has ended. */
  async endPending(kind: string, accountId: number, db: Queries): Promise<void> {
    await endPending.execute(db, { kind, accountId });
  }

  /**
   * Claims the next mail in round-robin order for this program. The mail becomes due again if the program does not finish it in
   * time. Calls must not overlap. A mail waits while an earlier mail to its recipient is due or being sent, except after a
   * deferral.
   *
   * @returns `undefined` if no mail is due
   */
  async claim(): Promise<ClaimedMail | undefined> {
    for (;;) {
      const now = new Date(this.wall());
      const row = await this.queue.claim(this.db, now, later(now, this.claimMs));
      if (row === undefined) return undefined;
      const mail = await this.opened(row, now);
      if (mail !== undefined) return mail;
    }
  }

  /** Records that the server has accepted the mail. */
  async markSent(id: number): Promise<void> {
    await finish.execute(this.db, { id, sentAt: new Date(this.wall()), failure: null });
  }

  /** Records that the mail will not be sent. */
  async giveUp(id: number, failure: string): Promise<void> {
    await finish.execute(this.db, { id, sentAt: null, failure });
  }

  /** Records a failed attempt. Each further attempt waits longer, until the mail expires. */
  async retryLater({ id, attempts, expiresAt }: ClaimedMail, failure: string): Promise<void> {
    const dueAt = retryAt(new Date(this.wall()), { attempts });
    if (dueAt > expiresAt) await this.giveUp(id, failure);
    else await this.queue.postpone(this.db, id, dueAt, failure);
  }

  /** Lists mails, newest first. */
  async list({ limit, offset, after }: OutboxSlice, db: Queries = this.db): Promise<OutboxEntry[]> {
    const rows = await (after === undefined
      ? pages.all(db, { limit, offset })
      : nextPages.all(db, { limit, after }));
    return rows.map((row) => this.entryOf(row));
  }

  /** Returns the mails about an account, oldest first, without their texts. */
  listAbout(accountId: number, slice: OutboxSlice, db: Queries = this.db): Promise<MailHeader[]> {
    const { limit, after = 0 } = slice;
    return about.all(db, { accountId, after, limit });
  }

  /** Returns the mails added after a given mail, oldest first, at most a hundred. */
  async listSince(id: number): Promise<OutboxEntry[]> {
    return (await since.all(this.db, { id })).map((row) => this.entryOf(row));
  }

  /** Returns the newest mail's id; 0 if the outbox is empty. */
  async lastId(): Promise<number> {
    return (await newest.first(this.db, {}))?.id ?? 0;
  }

  /** Deletes mails that were added before a time, at most `limit`, and returns their number. */
  deleteOlder(before: Date, limit: number): Promise<number> {
    return deleteOlder.count(this.db, { before, limit });
  }

  /** Deletes the oldest mails above a maximum number, at most `limit`, and returns how many. */
  deleteOver(max: number, limit: number): Promise<number> {
    return deleteOver.count(this.db, { max, limit });
  }

  /** Decrypts a claimed mail. Gives up a mail that can no longer be sent, and returns `undefined` then. */
  private async opened({ sealed, ...row }: MailRow, now: Date): Promise<ClaimedMail | undefined> {
    const text = sealed === null ? undefined : this.textOf(sealed);
    if (text !== undefined && row.expiresAt > now) return { ...row, ...text };
    await this.giveUp(row.id, row.failure ?? (text === undefined ? 'unknown key' : 'expired'));
    return undefined;
  }

  private entryOf({ sealed, ...row }: MailRow): OutboxEntry {
    return sealed === null ? row : { ...row, text: this.textOf(sealed) };
  }

  /** @returns `undefined` if it was encrypted by an unknown key */
  private textOf(sealed: string): MailText | undefined {
    const text = unseal(sealed, this.keys);
    return text === undefined ? undefined : mailTextSchema.parse(JSON.parse(text));
  }
}

const mailTextSchema = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  link: z.string().optional(),
});

interface InsertedMail extends Pick<
  MailRow,
  'kind' | 'recipient' | 'cause' | 'accountId' | 'sealed' | 'messageId' | 'expiresAt'
> {
  readonly now: Date;
}

const insert = statement((mail: InsertedMail, db) =>
  db
    .insertInto('mail')
    .values({
      kind: mail.kind,
      recipient: mail.recipient,
      cause: mail.cause,
      accountId: mail.accountId,
      sealed: mail.sealed,
      messageId: mail.messageId,
      expiresAt: mail.expiresAt,
      dueAt: mail.now,
      createdAt: mail.now,
    })
    .returning('id'),
);

/** A mail that is sent or given up has no due time. */
const dropPending = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('mail').where('accountId', '=', accountId).where('sentAt', 'is', null),
);

const endPending = statement(({ kind, accountId }: { kind: string; accountId: number }, db) =>
  db
    .updateTable('mail')
    .set({ sealed: null, dueAt: null, failure: 'ended' })
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .where('dueAt', 'is not', null),
);

const remove = statement(({ id }: { id: number }, db) => db.deleteFrom('mail').where('id', '=', id));

/** The text of a mail that is sent or given up is not needed any more. */
const finish = statement(
  ({ id, sentAt, failure }: { id: number; sentAt: Date | null; failure: string | null }, db) =>
    db.updateTable('mail').set({ sealed: null, dueAt: null, sentAt, failure }).where('id', '=', id),
);

const pages = statement(({ limit, offset }: { limit: number; offset: number }, db) =>
  db.selectFrom('mail').selectAll().orderBy('id', 'desc').limit(limit).offset(offset),
);

const nextPages = statement(({ limit, after }: { limit: number; after: number }, db) =>
  db.selectFrom('mail').selectAll().where('id', '<', after).orderBy('id', 'desc').limit(limit),
);

interface About {
  readonly accountId: number;
  readonly after: number;
  readonly limit: number;
}

const about = statement(({ accountId, after, limit }: About, db) =>
  db
    .selectFrom('mail')
    .select(['id', 'kind', 'recipient', 'createdAt', 'sentAt'])
    .where('accountId', '=', accountId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

const since = statement(({ id }: { id: number }, db) =>
  db.selectFrom('mail').selectAll().where('id', '>', id).orderBy('id').limit(100),
);

const newest = statement((_given: {}, db) =>
  db.selectFrom('mail').select('id').orderBy('id', 'desc').limit(1),
);

const deleteOlder = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const mails = db.selectFrom('mail').select('id').where('createdAt', '<', before);
  const oldest = mails.orderBy('createdAt').limit(limit);
  return db.deleteFrom('mail').where((mail) => isAmong(db, mail.ref('id'), oldest));
});

/** Deletes the mails over the limit. It reads an index entry for each kept mail, since ids do not count them. */
const deleteOver = statement(({ max, limit }: { max: number; limit: number }, db) => {
  const newestFirst = db.selectFrom('mail').select('id').orderBy('createdAt', 'desc').orderBy('id', 'desc');
  const over = newestFirst.limit(limit).offset(max);
  return db.deleteFrom('mail').where((mail) => isAmong(db, mail.ref('id'), over));
});

function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}
