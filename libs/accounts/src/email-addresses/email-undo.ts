import { Passwords } from '@app/auth';
import { Injectable } from '@nestjs/common';
import type { EmailLinkRow } from '../account/email-link.table';
import { AccountsStore } from '../account/accounts.store';
import { addressSubject } from '../limits/attempt-subjects';
import { mapEmailConflict } from '../account/email-conflict';
import { InvalidEmailLinkError } from '../errors';
import { MailTokens } from '../mails/mail-token';
import { AccessRevocation } from '../passwords/access-revocation';
import { Mailer } from '../mails/mailer';
import { Revocations } from '../revocation/revocations';
import { EmailLinksStore } from '../account/email-links.store';

/** Undoes e-mail changes with the tokens from mails to the former e-mail. */
@Injectable()
export class EmailUndo {
  constructor(
    private readonly store: AccountsStore,
    private readonly links: EmailLinksStore,
    private readonly passwords: Passwords,
    private readonly revocations: Revocations,
    private readonly access: AccessRevocation,
    private readonly mailer: Mailer,
    private readonly tokens: MailTokens,
  ) {}

  /**
   * Gives the account its former e-mail and a new password, because the attacker who changed the e-mail knew the old password.
   * Revokes all access. Ends the enrolments since the change, or all enrolments if nobody had proven the former e-mail.
   *
   * @throws InvalidEmailLinkError if the token is unknown, was used, or has expired
   * @throws EmailConflictError if a different account has the e-mail
   * @throws SignInOverloadError
   */
  async undo(token: string, password: string, ip: string): Promise<void> {
    const hash = this.tokens.hashOf('email undo', token);
    // Checked before the password is hashed, because an unknown token must not cost a hash.
    const openLink = linkOr(await this.links.find('undo', hash));
    const origin = { kind: 'change', source: addressSubject(ip) } as const;
    const passwordHash = await this.passwords.hashNew(password, origin, [openLink.email]);
    const undoing = this.revocations.inTransaction(async (db, revoke) => {
      const link = linkOr(await this.links.lock('undo', hash, db));
      const [now, { accountId: id, email }] = [new Date(), link];
      revoke('account', id);
      const change = {
        email,
        emailVerifiedAt: now,
        passwordHash,
        passwordChangedAt: now,
        passwordChangeRequiredAt: null,
      };
      const account = await this.store.update(id, change, db);
      if (account === undefined) throw new InvalidEmailLinkError();
      await this.links.removeUndoFrom(link, db);
      const since = link.endsSince ?? new Date(0);
      await this.access.revokeAll(account, { kind: 'email-change-undone', ip, since }, db);
      await this.mailer.send('passwordWasReset', { account, ip }, { email, ip, at: now }, db);
    });
    await mapEmailConflict(undoing, 'token');
  }
}

function linkOr(link: EmailLinkRow | undefined): EmailLinkRow {
  if (link === undefined) throw new InvalidEmailLinkError();
  return link;
}
