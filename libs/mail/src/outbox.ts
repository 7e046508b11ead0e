import { randomUUID } from 'node:crypto';
import type { Database, MailRow, Queries } from '@app/persistence';
import type { MailText, NewMail, OutgoingMail } from './mail';
import { retryDelayMs } from './retry-delay';
import { seal, type SealKeys, unseal } from './seal';

/** The part of a list to read, newest first. */
export interface OutboxSlice {
  readonly limit: number;
  readonly offset: number;
  /** Only mails before this id; `offset` is ignored then. */
  readonly after?: number;
}

/** A mail that one program sends. */
export interface ClaimedMail extends OutgoingMail {
  readonly id: number;
  readonly kind: string;
  /** With this one. */
  readonly attempts: number;
  readonly expiresAt: Date;
}

/** A mail of the outbox; `text` is absent once it is sent, given up, or encrypted by an unknown key. */
export type OutboxEntry = Omit<MailRow, 'sealed'> & { readonly text?: MailText };

/** After this a program that began to send a mail is taken for dead; longer than any attempt. */
const CLAIM_MS = 600_000;

/** What is written when a mail is sent or given up; its text is not needed any more. */
const done = { sealed: null, dueAt: null };

/** The mails to be sent, in the database: added in the transaction that causes them. */
export class Outbox {
  /**
   * @param keys   encrypt the texts
   * @param domain of the sender, for `Message-ID`
   */
  constructor(
    private readonly db: Database,
    private readonly keys: SealKeys,
    private readonly domain: string,
    private readonly claimMs = CLAIM_MS,
  ) {}

  /**
   * Adds a mail.
   *
   * @param db the transaction of what causes it
   * @returns its id
   */
  async add({ kind, recipient, goodForMs, ...text }: NewMail, db: Queries): Promise<number> {
    const now = new Date();
    const { id } = await db
      .insertInto('mail')
      .values({
        kind,
        recipient,
        sealed: seal(text, this.keys),
        messageId: `<${randomUUID()}@${this.domain}>`,
        dueAt: now,
        expiresAt: later(now, goodForMs),
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Removes a mail that was added in the same transaction. */
  async withdraw(id: number, db: Queries): Promise<void> {
    await db.deleteFrom('mail').where('id', '=', id).execute();
  }

  /**
   * Takes the mail that is due longest, for this program alone: it is due again if the program does not finish it in time.
   *
   * @returns `undefined` if none is due, or another program was faster
   */
  async claim(): Promise<ClaimedMail | undefined> {
    const now = new Date();
    const due = this.db.selectFrom('mail').select('id').where('dueAt', '<=', now).orderBy('dueAt').limit(1);
    const row = await this.db
      .updateTable('mail')
      .set((mail) => ({ attempts: mail('attempts', '+', 1), dueAt: later(now, this.claimMs) }))
      .where('id', '=', due)
      // Again: of two programs that select one mail at once, the second finds it changed.
      .where('dueAt', '<=', now)
      .returningAll()
      .executeTakeFirst();
    return row && this.opened(row, now);
  }

  /** Records that the server has accepted it. */
  async markSent(id: number): Promise<void> {
    await this.update(id, { ...done, sentAt: new Date(), failure: null });
  }

  /** Records that it will not be sent. */
  async giveUp(id: number, failure: string): Promise<void> {
    await this.update(id, { ...done, failure });
  }

  /** Records a failed attempt; the next one is later each time, and none after the mail has expired. */
  async retryLater({ id, attempts, expiresAt }: ClaimedMail, failure: string): Promise<void> {
    const dueAt = later(new Date(), retryDelayMs(attempts));
    if (dueAt > expiresAt) await this.giveUp(id, failure);
    else await this.update(id, { dueAt, failure });
  }

  /** Newest first. */
  async list({ limit, offset, after }: OutboxSlice, db: Queries = this.db): Promise<OutboxEntry[]> {
    const mails = db.selectFrom('mail').selectAll().orderBy('id', 'desc').limit(limit);
    const rows = await (after === undefined ? mails.offset(offset) : mails.where('id', '<', after)).execute();
    return rows.map((row) => this.entryOf(row));
  }

  /** The mails that were added after one, oldest first, at most a hundred. */
  async listSince(id: number): Promise<OutboxEntry[]> {
    const mails = this.db.selectFrom('mail').selectAll().where('id', '>', id).orderBy('id').limit(100);
    return (await mails.execute()).map((row) => this.entryOf(row));
  }

  /** The id of the newest mail; 0 if there is none. */
  async lastId(): Promise<number> {
    const newest = this.db.selectFrom('mail').select('id').orderBy('id', 'desc').limit(1);
    return (await newest.executeTakeFirst())?.id ?? 0;
  }

  /** Deletes mails that were added before a time, at most `limit`, and returns their number. */
  async deleteOlder(before: Date, limit: number): Promise<number> {
    const mails = this.db.selectFrom('mail').select('id').where('createdAt', '<', before);
    return this.delete(await mails.orderBy('createdAt').limit(limit).execute());
  }

  /** Deletes the oldest mails over a number, at most `limit`, and returns how many. */
  async deleteOver(max: number, limit: number): Promise<number> {
    const surplus = (await this.lastId()) - max;
    const mails = this.db.selectFrom('mail').select('id').where('id', '<=', surplus);
    return this.delete(await mails.orderBy('id').limit(limit).execute());
  }

  private async delete(mails: readonly { readonly id: number }[]): Promise<number> {
    if (mails.length === 0) return 0;
    const ids = mails.map(({ id }) => id);
    const { numDeletedRows } = await this.db
      .deleteFrom('mail')
      .where('id', 'in', ids)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** A mail that cannot be sent any more is given up, and so is not returned. */
  private async opened({ sealed, ...row }: MailRow, now: Date): Promise<ClaimedMail | undefined> {
    const text = sealed === null ? undefined : unseal(sealed, this.keys);
    if (text !== undefined && row.expiresAt > now) return { ...row, ...text };
    await this.giveUp(row.id, row.failure ?? (text === undefined ? 'unknown key' : 'expired'));
    return this.claim();
  }

  private entryOf({ sealed, ...row }: MailRow): OutboxEntry {
    return sealed === null ? row : { ...row, text: unseal(sealed, this.keys) };
  }

  private async update(id: number, change: Partial<MailRow>): Promise<void> {
    await this.db.updateTable('mail').set(change).where('id', '=', id).execute();
  }
}

function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}
