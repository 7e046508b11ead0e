import { Database, isOneOf, statement } from '@app/persistence';
import { type Nullable, sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { emailKey } from '../email-key';
import type { EnrolledStates } from './sign-in-factor';
import { SignInFactors } from './sign-in-factors';
import type { AttemptRow } from '../limits/attempt.table';
import type { PendingSignInRow } from './pending-sign-in.table';

/** The result from the single sign-in query. */
export interface ReadAccount {
  readonly account: AccountRow;
  readonly enrolled: EnrolledStates;
  /** The attempt counters, for subjects that have a counter. */
  readonly attempts: readonly AttemptRow[];
}

/** A joined row for each counter, or a single row if there are no counters. */
type JoinedRow = AccountRow & Nullable<AttemptRow>;

/** The stored columns for a sign-in that waits for a second factor. */
export type PendingColumns = Pick<PendingSignInRow, 'verified' | 'device'> & {
  /** A new hash for the same password. */
  readonly newHash: string | null;
};

interface GivenToken {
  readonly tokenHash: string;
  readonly audience: string;
  readonly now: Date;
  readonly subject: string;
}

/** Reads a sign-in's account once, together with its enrolments and the counted failures. */
@Injectable()
export class SignInAccounts {
  private readonly byEmail = statement(
    ({ key, subjects }: { key: string; subjects: readonly string[] }, db) =>
      db
        .selectFrom(db.selectNoFrom(sql<number>`1`.as('place')).as('always'))
        .leftJoin('account', (join) => join.on('account.emailKey', '=', key))
        .leftJoin('attempt', (join) => join.on(isOneOf(db, sql.ref('attempt.subject'), subjects)))
        .selectAll('account')
        .select(['attempt.subject', 'attempt.count', 'attempt.startedAt', 'attempt.latestAt'])
        .select(this.factors.columns(sql.ref('account.id'), db))
        .$castTo<JoinedRow | Nullable<JoinedRow>>(),
  );
  private readonly byToken = statement(({ tokenHash, audience, now, subject }: GivenToken, db) =>
    db
      .selectFrom('pendingSignIn as pending')
      .innerJoin('account', (join) =>
        join
          .onRef('account.id', '=', 'pending.accountId')
          .onRef('account.tokenGeneration', '=', 'pending.tokenGeneration'),
      )
      .leftJoin('attempt', (join) => join.on('attempt.subject', '=', subject))
      .selectAll('account')
      .select(['attempt.subject', 'attempt.count', 'attempt.startedAt', 'attempt.latestAt'])
      .select(['pending.verified', 'pending.device', 'pending.passwordHash as newHash'])
      .select(this.factors.columns(sql.ref('account.id'), db))
      .where('pending.tokenHash', '=', tokenHash)
      .where('pending.audience', '=', audience)
      .where('pending.expiresAt', '>', now)
      .$castTo<JoinedRow & PendingColumns>(),
  );

  constructor(
    private readonly db: Database,
    private readonly factors: SignInFactors,
  ) {}

  /** Reads by an e-mail. The query is the same whether or not there is an account. */
  async findByEmail(
    username: string,
    subjects: readonly string[],
  ): Promise<Partial<ReadAccount> & Pick<ReadAccount, 'attempts'>> {
    const rows = await this.byEmail.all(this.db, { key: emailKey(username) ?? '', subjects });
    const attempts = rows.flatMap(attemptIn);
    const [row] = rows;
    return row !== undefined && isOfAccount(row) ? { ...(await this.read(row)), attempts } : { attempts };
  }

  /**
   * Reads an account by the token for a sign-in that waits for a second factor.
   *
   * @param subject the client's address
   * @returns `undefined` if the token is unknown, expired, from a different program, or older than the last full revocation
   */
  async findByToken(
    tokenHash: string,
    audience: string,
    subject: string,
  ): Promise<(ReadAccount & { readonly pending: PendingColumns }) | undefined> {
    const row = await this.byToken.first(this.db, { tokenHash, audience, subject, now: new Date() });
    if (row === undefined) return undefined;
    const { verified, device, newHash, ...joined } = row;
    return { ...(await this.read(joined)), attempts: attemptIn(row), pending: { verified, device, newHash } };
  }

  private async read({
    subject: _subject,
    count: _count,
    startedAt: _startedAt,
    latestAt: _latestAt,
    ...account
  }: JoinedRow): Promise<Pick<ReadAccount, 'account' | 'enrolled'>> {
    return { account, enrolled: await this.factors.statesOf(account.id, account) };
  }
}

function isOfAccount(row: JoinedRow | Nullable<JoinedRow>): row is JoinedRow {
  return row.id !== null;
}

function attemptIn({ subject, count, startedAt, latestAt }: Nullable<AttemptRow>): AttemptRow[] {
  if (subject === null || count === null || startedAt === null || latestAt === null) return [];
  return [{ subject, count, startedAt, latestAt }];
}
