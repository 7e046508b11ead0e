import type { Queries } from '@app/persistence';

/** The enrolments of a way to sign in, which a recovery of the account ends. */
export interface EnrolledAccess {
  /**
   * Ends what an account has enrolled.
   *
   * @param since ends what was enrolled at this time or later
   * @returns how many enrolments ended
   */
  end(accountId: number, since: Date, db: Queries): Promise<number>;
  /** Whether older enrolments stay when an owner who has proven the e-mail before recovers the account, as for second factors. */
  readonly outlivesRecovery: boolean;
}

/** The reason why a way to sign in has no enrolments that could outlive a recovery. */
export interface NothingEnrolled {
  readonly nothingEnrolled: string;
}

/** The declaration of a factor says how access through it ends. */
export interface EndsAccess {
  /** How access through it ends when an account is recovered. */
  readonly access: EnrolledAccess | NothingEnrolled;
}

/** Ends what accounts have enrolled of all factors of a program. */
export class Enrolments {
  private readonly enrolled: readonly EnrolledAccess[];

  constructor(factors: readonly EndsAccess[]) {
    this.enrolled = factors.flatMap(({ access }) => ('end' in access ? [access] : []));
  }

  /** @returns how many enrolments ended */
  endAll(accountId: number, db: Queries): Promise<number> {
    return this.end(accountId, () => new Date(0), db);
  }

  /**
   * Ends what does not outlive a recovery by an owner who has proven the e-mail before, and what is newer than the damage.
   *
   * @param since the time of the change that is undone; `undefined` keeps everything that outlives a recovery
   * @returns how many enrolments ended
   */
  endAtRecovery(accountId: number, since: Date | undefined, db: Queries): Promise<number> {
    return this.end(accountId, ({ outlivesRecovery }) => (outlivesRecovery ? since : new Date(0)), db);
  }

  private async end(
    accountId: number,
    sinceOf: (access: EnrolledAccess) => Date | undefined,
    db: Queries,
  ): Promise<number> {
    let count = 0;
    // One connection runs one statement at a time.
    for (const access of this.enrolled) {
      const since = sinceOf(access);
      if (since !== undefined) count += await access.end(accountId, since, db);
    }
    return count;
  }
}
