import { MailTokens } from '@app/accounts';
import { Database } from '@app/persistence';
import type { INestApplicationContext } from '@nestjs/common';

/** The tokens of two links that concern an account's e-mail address. */
export interface EmailTokens {
  readonly confirm: string;
  readonly undo: string;
}

/**
 * Inserts two links, as a program's mails have them. The first link confirms an account's e-mail address, and the second undoes
 * its change.
 */
export async function insertEmailLinks(
  app: INestApplicationContext,
  accountId: number,
): Promise<EmailTokens> {
  const [db, tokens] = [app.get(Database, { strict: false }), app.get(MailTokens, { strict: false })];
  const [confirm, undo] = [tokens.make('email confirmation'), tokens.make('email undo')];
  const account = db.selectFrom('account').select(['email', 'emailKey']).where('id', '=', accountId);
  const row = {
    accountId,
    ...(await account.executeTakeFirstOrThrow()),
    expiresAt: new Date(Date.now() + 3_600_000),
  };
  await db
    .insertInto('emailLink')
    .values([
      { ...row, kind: 'confirm', tokenHash: confirm.hash },
      { ...row, kind: 'undo', tokenHash: undo.hash },
    ])
    .execute();
  return { confirm: confirm.token, undo: undo.token };
}
