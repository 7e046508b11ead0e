import { type Queries, statement } from '@app/persistence';

/** The first text of any order: causes and recipients are not empty. */
const START = '';

/** Selects mails round-robin over causes, and for each cause over its recipients, regardless of the number of waiting mails. */
export class RoundRobin {
  private cause = START;
  /** The recipient that was served last, by cause. */
  private readonly recipients = new Map<string, string>();

  /** @returns the id of a due mail with no earlier waiting mail to its recipient; `undefined` if no mail matches */
  async next(db: Queries, now: Date): Promise<number | undefined> {
    const found =
      (await nextCause.first(db, { now, after: this.cause })) ??
      (await nextCause.first(db, { now, after: START }));
    if (found === undefined) {
      this.recipients.clear();
      return undefined;
    }
    const { cause } = found;
    const after = this.recipients.get(cause) ?? START;
    const mail =
      (await nextOfCause.first(db, { now, cause, after })) ??
      (await nextOfCause.first(db, { now, cause, after: START }));
    this.cause = cause;
    if (mail !== undefined) this.recipients.set(cause, mail.recipient);
    return mail?.id;
  }
}

/** Selects the due mails, except a mail that follows an unattempted or currently sent mail to the same recipient. */
const due = ({ now }: { now: Date }, db: Queries) =>
  db
    .selectFrom('mail')
    .where('dueAt', '<=', now)
    .where((mail) =>
      mail.not(
        mail.exists(
          mail
            .selectFrom('mail as earlier')
            .select('earlier.id')
            .whereRef('earlier.recipient', '=', 'mail.recipient')
            .whereRef('earlier.id', '<', 'mail.id')
            .where('earlier.dueAt', 'is not', null)
            .where('earlier.failure', 'is', null),
        ),
      ),
    );

const nextCause = statement(({ now, after }: { now: Date; after: string }, db) =>
  due({ now }, db).select('cause').where('cause', '>', after).orderBy('cause').limit(1),
);

const nextOfCause = statement(({ now, cause, after }: { now: Date; cause: string; after: string }, db) =>
  due({ now }, db)
    .select(['id', 'recipient'])
    .where('cause', '=', cause)
    .where('recipient', '>', after)
    .orderBy('recipient')
    .orderBy('id')
    .limit(1),
);
