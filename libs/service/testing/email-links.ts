import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@app/persistence';

/** The tokens of two links about the e-mail of an account. */
export interface EmailTokens {
  readonly confirm: string;
  readonly undo: string;
}

/** Inserts a link that confirms the e-mail of an account, and one that undoes its change, as mails have them. */
export async function insertEmailLinks(db: Database, accountId: number): Promise<EmailTokens> {
  const [confirm, undo] = [1, 2].map(() => randomBytes(32).toString('base64url'));
  const account = db.selectFrom('account').select(['email', 'emailKey']).where('id', '=', accountId);
  const row = {
    accountId,
    ...(await account.executeTakeFirstOrThrow()),
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  await db
    .insertInto('emailLink')
    .values([
      { ...row, kind: 'confirm', tokenHash: hashOf('email confirmation', confirm) },
      { ...row, kind: 'undo', tokenHash: hashOf('email undo', undo) },
    ])
    .execute();
  return { confirm, undo };
}

function hashOf(kind: string, token: string): string {
  return createHash('sha256').update(`${kind} ${token}`).digest('base64url');
}
