import type { Passwords } from '@app/auth';
import type { EmailLinkRow, Queries } from '@app/persistence';
import type { AccountsStore } from '../accounts.store';
import { addressSubject } from '../attempt-subjects';
import { mapEmailTaken } from '../email-taken';
import { InvalidEmailLinkError } from '../errors';
import { mailTokenHash } from '../mails/mail-token';
import type { AccessEnd } from '../password-reset/access-end';
import type { ResetMails } from '../password-reset/reset-mails';
import type { Revocations } from '../revocation/revocations';
import type { EmailLinksStore } from './email-links.store';

/** Undoes changes of the e-mail, by the tokens of mails to the e-mail of before. */
export class EmailUndo {
  constructor(
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly passwords: Passwords,
    private readonly revocations: Revocations,
    private readonly access: AccessEnd,
    private readonly mails: ResetMails,
  ) {}

  /**
   * Gives the account its e-mail of before and a new password, since whoever changed the e-mail knew the old one. All access ends.
   *
   * @throws InvalidEmailLinkError if the token is unknown, was used, or has expired
   * @throws EmailTakenError if another account has the e-mail
   * @throws HashingBusyError
   */
  async undo(token: string, password: string, ip: string): Promise<void> {
    const hash = mailTokenHash('email undo', token);
    // Before the password is hashed: an unknown token must not cost a hash.
    await this.linkOf(hash);
    const passwordHash = await this.passwords.hashNew(password, {
      kind: 'change',
      source: addressSubject(ip),
    });
    const undoing = this.revocations.inTransaction(async (db, revoke) => {
      const link = await this.linkOf(hash, db);
      const [now, { accountId: id, email }] = [new Date(), link];
      revoke('account', id);
      const change = { email, emailVerifiedAt: now, passwordHash, passwordChangedAt: now };
      const account = await this.store.update(id, change, db);
      if (account === undefined) throw new InvalidEmailLinkError();
      await this.links.removeUndoFrom(link, db);
      await this.access.endAll(account, { kind: 'email-change-undone', ip }, db);
      await this.mails.addNotice(account, ip, db);
    });
    await mapEmailTaken(undoing, 'token');
  }

  private async linkOf(hash: string, db?: Queries): Promise<EmailLinkRow> {
    const link = await this.links.find('undo', hash, db);
    if (link === undefined) throw new InvalidEmailLinkError();
    return link;
  }
}
