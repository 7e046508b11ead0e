import { addressSubject } from './attempt-subjects';
import { TooManySignUpsError } from './errors';
import type { HourlyLimit } from './hourly-limit';

/** Limits sign-ups by address (an IPv6 /64) (D24). */
export class SignUpLimit {
  constructor(private readonly perAddress: HourlyLimit) {}

  /**
   * Counts a sign-up before its password is hashed.
   *
   * @throws TooManySignUpsError if the address is over the limit
   */
  async count(ip: string): Promise<void> {
    const wait = await this.perAddress.count(`sign-up:${addressSubject(ip)}`);
    if (wait > 0) throw new TooManySignUpsError(wait);
  }
}
