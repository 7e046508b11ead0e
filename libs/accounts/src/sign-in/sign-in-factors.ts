import { type Database, type Queries, statement } from '@app/persistence';
import { type AliasedExpression, type Expression, sql } from 'kysely';
import {
  amrOf,
  type EnrolledFactor,
  type EnrolledStates,
  type SignInFactor,
  type VerifiedFactors,
} from './sign-in-factor';

/** A program's factors. */
export class SignInFactors {
  /** The factors that a sign-in may require after the first factor. */
  private readonly further: readonly SignInFactor[];
  private readonly ofAccount = statement(({ accountId }: { accountId: number }, db) =>
    db
      .selectFrom('account')
      .select(['id', ...this.columns(sql.ref('account.id'), db)])
      .where('id', '=', accountId),
  );

  /**
   * @param db absent if all factors lack an `enrolled`
   * @throws TypeError for two factors with the same kind
   */
  constructor(
    readonly all: readonly SignInFactor[] = [],
    private readonly db?: Database,
  ) {
    const kinds = all.map(({ kind }) => kind);
    const twice = kinds.find((kind, place) => kinds.indexOf(kind) !== place);
    if (twice !== undefined) throw new TypeError(`there are two factors ${twice}: give one another kind`);
    this.further = all.filter(({ role }) => role !== 'first');
  }

  find(kind: string): SignInFactor | undefined {
    return this.all.find((factor) => factor.kind === kind);
  }

  /** Returns the account's enrolments in all factors. */
  async list(accountId: number, db?: Queries): Promise<EnrolledFactor[]> {
    const lists: (readonly EnrolledFactor[])[] = [];
    // One connection runs one statement at a time.
    for (const factor of this.all) lists.push(await factor.list(accountId, db));
    return lists.flat();
  }

  /** Selects the account's enrolments in an account query, for {@link statesOf}. */
  columns(account: Expression<number>, db: Queries): AliasedExpression<unknown, string>[] {
    return this.further.flatMap((factor, place) => {
      const state = factor.enrolled?.(account, db);
      return state === undefined ? [] : [sql`${state}`.as(columnAt(place))];
    });
  }

  /**
   * Returns the account's enrolled states.
   *
   * @param row a row from a query with {@link columns}, which are removed from it
   */
  async statesOf(accountId: number, row: object, db?: Queries): Promise<EnrolledStates> {
    const states = new Map<string, unknown>();
    for (const [place, factor] of this.further.entries()) {
      const column = columnAt(place);
      const state: unknown = Reflect.get(row, column);
      Reflect.deleteProperty(row, column);
      const isEnrolled = factor.enrolled ? state != null : (await factor.list(accountId, db)).length > 0;
      if (isEnrolled) states.set(factor.kind, state ?? true);
    }
    return states;
  }

  /** Reads the account's enrolments, in a single query, for the factors that a sign-in may require after the first factor. */
  async enrolledOf(accountId: number, db: Queries | undefined = this.db): Promise<EnrolledStates> {
    const row = db && (await this.ofAccount.first(db, { accountId }));
    return this.statesOf(accountId, row ?? {}, db);
  }

  /** Returns whether an account has enrolled a second factor. */
  async hasSecond(accountId: number): Promise<boolean> {
    const enrolled = await this.enrolledOf(accountId);
    return this.further.some(({ kind, role }) => role === 'second' && enrolled.has(kind));
  }

  /**
   * Returns the factors that can complete a sign-in.
   *
   * @param verified the factors so far
   * @returns their kinds; empty if the sign-in is complete
   */
  pendingOf(enrolled: EnrolledStates, verified: VerifiedFactors): string[] {
    if (amrOf(verified).includes('mfa')) return [];
    const open = this.further.filter(
      ({ kind }) => enrolled.has(kind) && verified.every((factor) => factor.kind !== kind),
    );
    const second = open.filter(({ role }) => role === 'second');
    if (second.length === 0) return [];
    return [...second, ...open.filter(({ role }) => role === 'backup')].map(({ kind }) => kind);
  }
}

function columnAt(place: number): string {
  return `factor${place}`;
}
