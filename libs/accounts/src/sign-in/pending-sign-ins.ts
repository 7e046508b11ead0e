import { createHash } from 'node:crypto';
import { Database, isAmong, type Queries, statement } from '@app/persistence';
import { z } from 'zod';
import { Inject, Injectable } from '@nestjs/common';
import { type SignIn, SignInEndedError } from './sign-in';
import type { VerifiedFactors } from './sign-in-factor';
import { addressSubject } from '../limits/attempt-subjects';
import { isOneTimeSecret, makeOneTimeSecret } from '../one-time-secret';
import type { PendingSignInRow } from './pending-sign-in.table';
import { SignInAccounts } from './sign-in-accounts';
import { APPLICATION } from '../options';

const LIFETIME_MS = 5 * 60_000;

/** A program's sign-ins that wait for a second factor. Their tokens are stored as hashes. */
@Injectable()
export class PendingSignIns {
  /** @param audience the program; all remaining programs reject its tokens */
  constructor(
    private readonly db: Database,
    private readonly accounts: SignInAccounts,
    @Inject(APPLICATION) private readonly audience: string,
  ) {}

  /** @returns the token, 256 random bits in base64url, which only completes a single sign-in within five minutes */
  async add({ account, factors, state = {} }: SignIn, db: Queries): Promise<string> {
    const token = makeOneTimeSecret();
    const { passwordHash = null, device = null } = state;
    const row: PendingSignInRow = {
      tokenHash: hashOf(token),
      accountId: account.id,
      tokenGeneration: account.tokenGeneration,
      verified: JSON.stringify(factors),
      passwordHash,
      device,
      audience: this.audience,
      expiresAt: new Date(Date.now() + LIFETIME_MS),
    };
    await insert.execute(db, row);
    return token;
  }

  /**
   * @param ip the request's remote address
   * @returns `undefined` if the token is unknown, used, expired, from a different program, or older than a full revocation
   */
  async find(token: string, ip: string): Promise<SignIn | undefined> {
    if (!isOneTimeSecret(token)) return undefined;
    const tokenHash = hashOf(token);
    const read = await this.accounts.findByToken(tokenHash, this.audience, addressSubject(ip));
    if (read === undefined) return undefined;
    const { account, enrolled, attempts, pending } = read;
    const { device, newHash: passwordHash } = pending;
    const use = async (db: Queries) => {
      // Of several uses at once, in whatever programs, one succeeds.
      if ((await remove.count(db, { tokenHash, now: new Date() })) === 0) throw new SignInEndedError();
    };
    const factors = factorsOf(pending);
    return { account, factors, state: { passwordHash, device, enrolled, attempts, use } };
  }

  /** Deletes the sign-ins that expired before a time, at most `limit`, and returns their number. */
  deleteExpired(before: Date, limit: number): Promise<number> {
    return deleteExpired.count(this.db, { before, limit });
  }
}

function factorsOf({ verified }: { readonly verified: string }): VerifiedFactors {
  return verifiedSchema.parse(JSON.parse(verified));
}

const factorSchema = z.looseObject({
  kind: z.string(),
  amr: z.array(z.string()),
  at: z.string().transform((text) => new Date(text)),
  name: z.string().optional(),
  authTime: z.number().optional(),
});
const verifiedSchema = z.tuple([factorSchema], factorSchema);

function hashOf(token: string): string {
  return createHash('sha256').update(`pending sign-in ${token}`).digest('base64url');
}

const insert = statement((pending: PendingSignInRow, db) =>
  db.insertInto('pendingSignIn').values({
    tokenHash: pending.tokenHash,
    accountId: pending.accountId,
    tokenGeneration: pending.tokenGeneration,
    verified: pending.verified,
    passwordHash: pending.passwordHash,
    device: pending.device,
    audience: pending.audience,
    expiresAt: pending.expiresAt,
  } satisfies PendingSignInRow),
);

const remove = statement(({ tokenHash, now }: { tokenHash: string; now: Date }, db) =>
  db.deleteFrom('pendingSignIn').where('tokenHash', '=', tokenHash).where('expiresAt', '>', now),
);

const deleteExpired = statement(({ before, limit }: { before: Date; limit: number }, db) => {
  const expired = db
    .selectFrom('pendingSignIn')
    .select('tokenHash')
    .where('expiresAt', '<', before)
    .limit(limit);
  return db.deleteFrom('pendingSignIn').where((row) => isAmong(db, row.ref('tokenHash'), expired));
});
