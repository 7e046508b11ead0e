import { createHash } from 'node:crypto';
import type { Queries } from '@app/persistence';
import { z } from 'zod';
import type { AccountsStore } from '../account/accounts.store';
import { isOneTimeSecret, makeOneTimeSecret } from '../one-time-secret';
import type { VerifiedFactors } from '../factors/sign-in-factor';
import type { PendingSignInRow } from './pending-sign-in.table';
import type { PendingSignInsStore } from './pending-sign-ins.store';
import type { ProvenSignIn } from './sign-in-record';

const LIFETIME_MS = 5 * 60_000;

/** A sign-in that waits for a second factor. */
export interface PendingSignIn {
  /** 256 random bits in base64url. It is no access token, completes one sign-in within five minutes, and does nothing else. */
  readonly mfaToken: string;
  /** The kinds of the factors of which one is required. */
  readonly factors: readonly string[];
}

/** What a token stands for. */
export interface FoundSignIn extends ProvenSignIn {
  /** The name of the device that the client gave with the first factor. */
  readonly device: string | null;
  /** Uses the token: of several uses at once, in whatever programs, one succeeds. */
  readonly use: (db: Queries) => Promise<boolean>;
}

/** The sign-ins of a program that wait for a second factor. Their tokens are stored as hashes. */
export class PendingSignIns {
  /** @param audience the program: others reject its tokens */
  constructor(
    private readonly store: PendingSignInsStore,
    private readonly accounts: AccountsStore,
    private readonly audience: string,
  ) {}

  /** @returns the token */
  async add({ account, factors, passwordHash = null }: ProvenSignIn, device: string | null): Promise<string> {
    const token = makeOneTimeSecret();
    await this.store.insert({
      tokenHash: hashOf(token),
      accountId: account.id,
      tokenGeneration: account.tokenGeneration,
      verified: JSON.stringify(factors),
      passwordHash,
      device,
      audience: this.audience,
      expiresAt: new Date(Date.now() + LIFETIME_MS),
    });
    return token;
  }

  /** @returns `undefined` for a token that is unknown, used or expired, of another program, or from before all access was revoked */
  async find(token: string): Promise<FoundSignIn | undefined> {
    if (!isOneTimeSecret(token)) return undefined;
    const tokenHash = hashOf(token);
    const row = await this.store.find(tokenHash, this.audience);
    const account = row && (await this.accounts.findById(row.accountId));
    if (row === undefined || account?.tokenGeneration !== row.tokenGeneration) return undefined;
    const { device, passwordHash } = row;
    const use = (db: Queries) => this.store.use(tokenHash, db);
    return { account, factors: factorsOf(row), passwordHash, device, use };
  }
}

function factorsOf({ verified }: PendingSignInRow): VerifiedFactors {
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
