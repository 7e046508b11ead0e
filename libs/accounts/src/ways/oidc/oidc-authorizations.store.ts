import { type Database, isAmong, type Queries, statement } from '@app/persistence';
import type { OidcAuthorizationRow } from './oidc-authorization.table';

/** Queries on authorizations that identity providers were asked for. */
export class OidcAuthorizationsStore {
  constructor(private readonly db: Database) {}

  async insert(authorization: OidcAuthorizationRow, db: Queries = this.db): Promise<void> {
    await insert.execute(db, authorization);
  }

  /**
   * Takes one that has not expired: of several uses at once, in whatever programs, one succeeds.
   *
   * @returns the account that it is for; `undefined` if there is none
   */
  take(
    given: Pick<OidcAuthorizationRow, 'requestHash' | 'provider' | 'audience'>,
  ): Promise<Pick<OidcAuthorizationRow, 'accountId'> | undefined> {
    return take.first(this.db, { ...given, now: new Date() });
  }

  /** Deletes those that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { before, limit });
  }
}

const insert = statement((authorization: OidcAuthorizationRow, db) =>
  db.insertInto('oidcAuthorization').values({
    requestHash: authorization.requestHash,
    provider: authorization.provider,
    accountId: authorization.accountId,
    audience: authorization.audience,
    expiresAt: authorization.expiresAt,
  } satisfies OidcAuthorizationRow),
);

type Given = Omit<OidcAuthorizationRow, 'accountId' | 'expiresAt'> & { readonly now: Date };

const take = statement(({ requestHash, provider, audience, now }: Given, db) =>
  db
    .deleteFrom('oidcAuthorization')
    .where('requestHash', '=', requestHash)
    .where('provider', '=', provider)
    .where('audience', '=', audience)
    .where('expiresAt', '>', now)
    .returning('accountId'),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db
    .selectFrom('oidcAuthorization')
    .select('requestHash')
    .where('expiresAt', '<', before)
    .limit(limit);
  return db.deleteFrom('oidcAuthorization').where((row) => isAmong(db, row.ref('requestHash'), expired));
});
