import { ForbiddenError, UnauthenticatedError } from '@app/auth';
import { type Queries, statement } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { SignedInUser } from './access-check';
import { AccountDisabledError } from '../errors';
import { isIssuedBeforeLink, isIssuedBeforeRevocation, type IssuedToken, isOfRevokedGeneration } from './sid';

/** The sign-in or the API key that acts. */
export type ActingCaller = Pick<SignedInUser, 'userId' | 'sid' | 'jti' | 'amr' | 'issued'> & {
  readonly role?: SignedInUser['role'];
  /** The API key's id, if the caller uses a key. */
  readonly keyId?: number;
};

/**
 * Checks in the caller's transaction that its sign-in or key is still valid, also if a different program has revoked it
 * meanwhile. This check ensures that nothing the transaction leaves behind, such as a key, outlives the sign-in. It locks the
 * caller's account, so that counts taken afterwards stay correct.
 *
 * @throws UnauthenticatedError, AccountDisabledError
 * @throws ForbiddenError if the caller has lost the administrator role
 */
export async function checkStillSignedIn(caller: ActingCaller, db: Queries): Promise<void> {
  const account = await owner.first(db, { id: caller.userId });
  if (account === undefined) throw new UnauthenticatedError();
  if (account.disabledAt !== null) throw new AccountDisabledError();
  if (!(await isCurrent(caller, account, db))) throw new UnauthenticatedError();
  if (caller.role === 'admin' && account.role !== 'admin' && caller.issued?.givesRole !== true)
    throw new ForbiddenError('only a caller with the role admin may do this');
}

/**
 * Returns whether the sign-in or the key is still valid. The revocation log suffices, because it only drops entries for expired
 * tokens.
 */
async function isCurrent(
  { userId, sid, jti, keyId, issued }: ActingCaller,
  account: Pick<AccountRow, 'tokenGeneration' | 'keptSession' | 'tokensRevokedAt'>,
  db: Queries,
): Promise<boolean> {
  if (keyId !== undefined)
    return (await keyById.first(db, { accountId: userId, keyId, now: new Date() })) !== undefined;
  if (issued && !(await isLinked(userId, issued, db))) return false;
  const isRevoked = issued
    ? isIssuedBeforeRevocation(account, issued, jti)
    : isOfRevokedGeneration(account, { sid, jti });
  if (isRevoked) return false;
  return (await revocationOf.first(db, { sid: sid ?? '', jti: jti ?? '' })) === undefined;
}

async function isLinked(accountId: number, issued: IssuedToken, db: Queries): Promise<boolean> {
  const link = await linkOf.first(db, { accountId, identity: issued.identity });
  return link !== undefined && !isIssuedBeforeLink(link.linkedAt, issued);
}

const linkOf = statement(({ accountId, identity }: { accountId: number; identity: string }, db) =>
  db
    .selectFrom('trustedIdentity')
    .select('linkedAt')
    .where('hash', '=', identity)
    .where('accountId', '=', accountId),
);

const owner = statement(({ id }: { id: number }, db) =>
  db
    .selectFrom('account')
    .select(['role', 'disabledAt', 'tokenGeneration', 'keptSession', 'tokensRevokedAt'])
    .where('id', '=', id)
    .forNoKeyUpdate(),
);

const keyById = statement(({ accountId, keyId, now }: { accountId: number; keyId: number; now: Date }, db) =>
  db
    .selectFrom('apiKey')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', keyId)
    .where((keys) => keys.or([keys('expiresAt', 'is', null), keys('expiresAt', '>', now)])),
);

const revocationOf = statement(({ sid, jti }: { sid: string; jti: string }, db) =>
  db
    .selectFrom('revocation')
    .select('kind')
    .where((log) => log.or([log('subject', '=', sid), log('subject', '=', jti)]))
    .limit(1),
);
