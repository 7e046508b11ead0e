import type { Outbox } from '@app/mail';
import type { AccountRow, Queries } from '@app/persistence';
import type { SignInPlace } from '../sign-in-origin';
import type { AccountMails } from './account-mails';

const DAY = 24 * 3_600_000;
/** A notice is of use while its reader can still act. */
const goodForMs = 3 * DAY;

/** Mails that tell an owner what happened to the account. */
export class AccountNotices {
  constructor(
    private readonly outbox: Outbox,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Tells of a new password, and how many API keys still work.
   *
   * @param ip remote address of the request, if it is known
   * @param db the transaction of the change
   */
  async addPasswordChanged(
    { email }: AccountRow,
    { ip, apiKeys }: { readonly ip?: string; readonly apiKeys: number },
    db: Queries,
  ): Promise<void> {
    const text = this.mails.passwordChanged({ email, ip, apiKeys, at: new Date() });
    await this.outbox.add({ kind: 'password-changed', recipient: email, goodForMs, ...text }, db);
  }

  /**
   * Tells of a sign-in from a new device.
   *
   * @param db the transaction that records it
   */
  async addNewDevice({ email }: AccountRow, { ip, device }: SignInPlace, db: Queries): Promise<void> {
    const text = this.mails.newDevice({ email, ip, device, at: new Date() });
    await this.outbox.add({ kind: 'new-device', recipient: email, goodForMs, ...text }, db);
  }
}
