import { Database, isAmong, isOneOf, type Queries, statement } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { TotpRow } from './totp.table';

/** An encrypted secret, and the key by which it is. */
export type SealedSecret = Pick<TotpRow, 'sealedSecret' | 'sealedBy'>;

/** A secret to enrol. */
export interface NewTotp extends SealedSecret {
  readonly accountId: number;
  readonly createdAt: Date;
}

/** Queries on the TOTP secrets of accounts. */
@Injectable()
export class TotpStore {
  constructor(private readonly db: Database) {}

  find(accountId: number, db: Queries = this.db): Promise<TotpRow | undefined> {
    return byAccount.first(db, { accountId });
  }

  /**
   * Begins an enrolment, which replaces an unconfirmed enrolment.
   *
   * @returns whether it began; an account with a confirmed enrolment keeps its secret
   */
  async begin(totp: NewTotp, db: Queries): Promise<boolean> {
    return (await begin.first(db, totp)) !== undefined;
  }

  /** Confirms an enrolment by the code of a step, which is used then. */
  async confirm(accountId: number, step: number, db: Queries): Promise<void> {
    await confirm.execute(db, { accountId, step, now: new Date() });
  }

  /**
   * Uses a step's code in a single statement. Only a single concurrent use across all programs succeeds.
   *
   * @returns whether the codes for this step and all later steps were unused
   */
  async useStep(accountId: number, step: number, db: Queries = this.db): Promise<boolean> {
    return (await useStep.count(db, { accountId, step })) > 0;
  }

  /**
   * Removes an account's secret.
   *
   * @returns whether it was confirmed
   */
  async remove(accountId: number, db: Queries): Promise<boolean> {
    const removed = await removeTotp.first(db, { accountId });
    return removed !== undefined && removed.confirmedAt !== null;
  }

  /** Secrets that these keys encrypted. */
  sealedBy(keys: readonly string[], limit: number): Promise<TotpRow[]> {
    return byKeys.all(this.db, { keys, limit });
  }

  /** Replaces an encrypted secret by the same secret under a different key, unless it changed meanwhile. */
  async reseal(
    { id, sealedSecret: before }: TotpRow,
    { sealedSecret, sealedBy }: SealedSecret,
  ): Promise<void> {
    await reseal.execute(this.db, { id, before, sealedSecret, sealedBy });
  }

  /** Deletes enrolments that began before a time and were not confirmed, at most `limit`, and returns their number. */
  deleteUnconfirmed(before: Date, limit: number): Promise<number> {
    return deleteUnconfirmed.count(this.db, { before, limit });
  }
}

const byAccount = statement(({ accountId }: { accountId: number }, db) =>
  db.selectFrom('totp').selectAll().where('accountId', '=', accountId),
);

const begin = statement(({ accountId, sealedSecret, sealedBy, createdAt }: NewTotp, db) =>
  db
    .insertInto('totp')
    .values({ accountId, sealedSecret, sealedBy, createdAt, confirmedAt: null })
    .onConflict((conflict) =>
      conflict
        .column('accountId')
        .doUpdateSet({ sealedSecret, sealedBy, createdAt, lastStep: 0 })
        .where('totp.confirmedAt', 'is', null),
    )
    .returning('id'),
);

const confirm = statement(({ accountId, step, now }: { accountId: number; step: number; now: Date }, db) =>
  db
    .updateTable('totp')
    .set({ confirmedAt: now, lastStep: step })
    .where('accountId', '=', accountId)
    .where('confirmedAt', 'is', null),
);

const useStep = statement(({ accountId, step }: { accountId: number; step: number }, db) =>
  db
    .updateTable('totp')
    .set({ lastStep: step })
    .where('accountId', '=', accountId)
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', step),
);

/** Ends the secret of an account if it was confirmed at a time or later, or is not confirmed. */
export function endTotp(accountId: number, since: Date, db: Queries): Promise<number> {
  return removeSince.count(db, { accountId, since });
}

const removeSince = statement(({ accountId, since }: { accountId: number; since: Date }, db) =>
  db
    .deleteFrom('totp')
    .where('accountId', '=', accountId)
    .where((totp) => totp.or([totp('confirmedAt', 'is', null), totp('confirmedAt', '>=', since)])),
);

const removeTotp = statement(({ accountId }: { accountId: number }, db) =>
  db.deleteFrom('totp').where('accountId', '=', accountId).returning('confirmedAt'),
);

const byKeys = statement(({ keys, limit }: { keys: readonly string[]; limit: number }, db) =>
  db
    .selectFrom('totp')
    .selectAll()
    .where((row) => isOneOf(db, row.ref('sealedBy'), keys))
    .limit(limit),
);

interface Resealed extends SealedSecret {
  readonly id: number;
  readonly before: string;
}

const reseal = statement(({ id, before, sealedSecret, sealedBy }: Resealed, db) =>
  db
    .updateTable('totp')
    .set({ sealedSecret, sealedBy })
    .where('id', '=', id)
    .where('sealedSecret', '=', before),
);

const deleteUnconfirmed = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const abandoned = db
    .selectFrom('totp')
    .select('id')
    .where('confirmedAt', 'is', null)
    .where('createdAt', '<', before)
    .limit(limit);
  return db
    .deleteFrom('totp')
    .where((row) => isAmong(db, row.ref('id'), abandoned))
    .where('confirmedAt', 'is', null);
});
