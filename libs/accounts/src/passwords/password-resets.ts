import { Database, inTransaction, type Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { AccountsStore } from '../account/accounts.store';
import { addressSubject, mailSubject } from '../limits/attempt-subjects';
import { AuditLog } from '../audit/audit-log';
import { TooManyResetsError } from '../errors';
import { Limiter } from '../limits/limiter';
import { lifetimes, Mailer, nobody } from '../mails/mailer';
import { MailTokens } from '../mails/mail-token';
import { AccountsOptions } from '../options';
import { AttemptsStore } from '../limits/attempts.store';

/**
 * Requests for a new password. The response, and the work until then, are the same whether or not the account exists, is
 * disabled, or is over its limit.
 */
@Injectable()
export class PasswordResets {
  private readonly perAddress: Limiter;
  private readonly perAccount: Limiter;

  constructor(
    private readonly db: Database,
    private readonly store: AccountsStore,
    private readonly mailer: Mailer,
    private readonly audit: AuditLog,
    private readonly tokens: MailTokens,
    attempts: AttemptsStore,
    { settings }: AccountsOptions,
  ) {
    this.perAddress = new Limiter(settings.PASSWORD_RESET_ADDRESS_LIMIT, attempts);
    this.perAccount = new Limiter(settings.PASSWORD_RESET_LIMIT, attempts);
  }

  /**
   * Sends an account's owner a link that sets a new password; earlier links end.
   *
   * @throws TooManyResetsError if the address is over its limit, for any username
   */
  async request(username: string, ip: string): Promise<void> {
    const wait = await this.perAddress.count(`reset:${addressSubject(ip)}`);
    if (wait > 0) throw new TooManyResetsError(wait);
    const isWithin = (await this.perAccount.countAt(mailSubject('password-reset', username), ip)) === 0;
    await inTransaction(this.db, async (db) => {
      const account = await this.store.lockByEmail(username, db);
      const isSent = isWithin && account?.disabledAt === null;
      await this.issue(isSent ? account : undefined, ip, db);
      await this.audit.record(
        { kind: 'password-reset-requested', accountId: account?.id, ip, detail: { sent: isSent } },
        db,
      );
    });
  }

  /** Issues a reset token. For an unknown account it executes the same statements, updates no row, and withdraws the mail. */
  private async issue(account: AccountRow | undefined, ip: string, db: Queries): Promise<void> {
    const { token, hash } = this.tokens.make('password reset');
    const expiresAt = new Date(Date.now() + lifetimes.reset);
    await this.store.setResetToken(account?.id ?? 0, hash, expiresAt, db);
    const { email = nobody } = account ?? {};
    const link = this.mailer.linkTo('reset-password', token);
    const facts = { email, link, minutes: lifetimes.reset / 60_000 };
    await this.mailer.send('passwordReset', { account, ip }, facts, db);
  }
}
