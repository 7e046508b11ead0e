import { type Database, type Queries } from '@app/persistence';
import type { SignInFactors } from '../sign-in/sign-in-factors';
import { UnlistedFactorError } from './errors';

/** Records that an account has enrolled a factor of a kind. */
export async function recordFactorInUse(kind: string, db: Queries): Promise<void> {
  await db
    .insertInto('factorInUse')
    .values({ kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Checks that the program has each factor that accounts on the database have enrolled. A program without such a factor would sign
 * the accounts in without it, and a recovery there would not end it.
 *
 * @throws UnlistedFactorError for the first kind that no plugin of the program declares
 */
export async function checkFactorsInUse(factors: SignInFactors, db: Database): Promise<void> {
  const enrolled = await db.selectFrom('factorInUse').select('kind').orderBy('kind').execute();
  const unlisted = enrolled.find(({ kind }) => factors.find(kind) === undefined);
  if (unlisted !== undefined) throw new UnlistedFactorError(unlisted.kind);
}
