import { randomUUID } from 'node:crypto';
import {
  type Database,
  inTransaction,
  type Queries,
  statement,
  UniqueViolationError,
} from '@app/persistence';
import type { AccountsStore } from '../account/accounts.store';
import type { AuditLog } from '../audit/audit-log';
import { hashOf, type IssuerClaims } from './issuer-tokens';

/** RFC 2606: no mail is ever delivered there, and none is sent. */
const DOMAIN = 'trusted-issuer.invalid';
/** No hash, so that no password matches it. */
const NO_PASSWORD = '!';

/** Which account a subject of a trusted issuer has. */
export class TrustedIdentitiesStore {
  constructor(
    private readonly db: Database,
    private readonly accounts: AccountsStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The account of a subject; it is created if there was none. Nothing in the token chooses an existing account: not its e-mail either.
   *
   * @returns `undefined` if it was deleted
   */
  async accountOf(claims: IssuerClaims): Promise<number | undefined> {
    const hash = hashOf([claims.issuer, claims.subject]);
    const found = await byHash.first(this.db, { hash });
    if (found !== undefined) return found.accountId ?? undefined;
    try {
      return await this.create(hash, claims);
    } catch (error) {
      // Two first tokens at once: the other was first.
      if (!(error instanceof UniqueViolationError)) throw error;
      return (await byHash.first(this.db, { hash }))?.accountId ?? undefined;
    }
  }

  private create(hash: string, { issuer, subject }: IssuerClaims): Promise<number> {
    return inTransaction(this.db, async (db) => {
      const email = `${randomUUID()}@${DOMAIN}`;
      const { id } = await this.accounts.insert({ email, passwordHash: NO_PASSWORD }, db);
      await insert.execute(db, { hash, accountId: id, now: new Date() });
      const detail = { issuer, subject };
      await this.audit.record({ kind: 'account-created', accountId: id, detail }, db);
      return id;
    });
  }
}

const byHash = statement(({ hash }: { hash: string }, db: Queries) =>
  db.selectFrom('trustedIdentity').select('accountId').where('hash', '=', hash),
);

const insert = statement(
  ({ hash, accountId, now }: { hash: string; accountId: number; now: Date }, db: Queries) =>
    db.insertInto('trustedIdentity').values({ hash, accountId, createdAt: now }),
);
