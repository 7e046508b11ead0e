import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { accountSubject, addressSubject } from './attempt-subjects';
import type { AttemptsStore } from './attempts.store';
import { SharedLimit } from './shared-limit';

/** So that a third party at one address leaves the owner of an e-mail most of its mails. */
const ADDRESSES = 4;

/**
 * Limits the mails of a kind to an e-mail: those that one address (of IPv6 a /64) causes, and four times as many over all
 * addresses. Counted by the e-mail, whichever account has it, and whether or not one does.
 */
export class MailLimit {
  private readonly pair: SharedLimit;
  private readonly overall: SharedLimit;

  /** @param rate that one address causes; `false` for no limit */
  constructor(attempts: AttemptsStore, rate: Rate | false) {
    this.pair = new SharedLimit(attempts, rate);
    this.overall = new SharedLimit(attempts, rate && { ...rate, limit: rate.limit * ADDRESSES });
  }

  /**
   * Counts one more mail, unless it is over the limit.
   *
   * @param kind such as `password-reset`; each has its own count
   * @param ip   remote address of the request, if it is known
   * @param db   the transaction that adds the mail: one that is rolled back is not counted
   * @returns milliseconds to wait; 0 if it was counted
   */
  async count(kind: string, email: string, ip = '', db?: Queries): Promise<number> {
    const subject = `mail:${kind}:${accountSubject(email)}`;
    const wait = await this.pair.count(`${subject} ${addressSubject(ip)}`, db);
    return wait > 0 ? wait : this.overall.count(subject, db);
  }
}
