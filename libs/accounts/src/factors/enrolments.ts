import type { Queries } from '@app/persistence';
import { identityAccess } from '../identities/trusted-identities.store';

/** The enrolments that an account recovery ends, for a single sign-in way. */
export interface EnrolledAccess {
  /**
   * Ends an account's enrolments.
   *
   * @param since the time since which enrolments end
   * @returns how many enrolments ended
   */
  end(accountId: number, since: Date, db: Queries): Promise<number>;
  /** Whether older enrolments stay when an owner who has proven the e-mail before recovers the account, as for second factors. */
  readonly outlivesRecovery: boolean;
}

/** The reason why a sign-in way has no enrolments that could outlive a recovery. */
export interface NothingEnrolled {
  readonly nothingEnrolled: string;
}

/** The part of a factor declaration that says how access through the factor ends. */
export interface EndsAccess {
  /** The enrolments to end when an account is recovered, or the reason why there are no enrolments. */
  readonly access: EnrolledAccess | NothingEnrolled;
}

/** Ends accounts' identities at issuers, and enrolments across all factors in a program. */
export class Enrolments {
  private readonly enrolled: ReadonlySet<EnrolledAccess>;

  /** @param factors the factors of the program's plugins */
  constructor(factors: readonly EndsAccess[] = []) {
    const enrolled = factors.flatMap(({ access }) => ('end' in access ? [access] : []));
    this.enrolled = new Set([identityAccess, ...enrolled]);
  }

  /**
   * Ends every enrolment of an account.
   *
   * @returns how many enrolments ended
   */
  endAll(accountId: number, db: Queries): Promise<number> {
    return this.end(accountId, () => new Date(0), db);
  }

  /**
   * Ends enrolments when an owner who has proven the e-mail before recovers the account. Enrolments that may outlive a recovery
   * only end if they are newer than the damage.
   *
   * @param since the time of the undone change; `undefined` keeps everything that outlives a recovery
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
    // A connection runs a single statement at a time.
    for (const access of this.enrolled) {
      const since = sinceOf(access);
      if (since !== undefined) count += await access.end(accountId, since, db);
    }
    return count;
  }
}
