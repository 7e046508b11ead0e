import type { AccountRow } from '@app/persistence';
import type { FamiliarAddresses } from './familiar-addresses';
import type { HourlyLimit } from './hourly-limit';
import type { SignInPlace } from './sign-in-origin';

/** Whether a sign-in is from a device that its account does not know. */
export interface Newness {
  readonly isNew: boolean;
  /** Whether its owner is told by mail. */
  readonly isTold: boolean;
}

/**
 * Recognises sign-ins from new devices: an address or a device name from which the account did not sign in within 30 days. The first
 * sign-in of an account is none.
 */
export class NewDevices {
  /** @param limit of mails to one account; `undefined` sends none, and looks nothing up */
  constructor(
    private readonly familiar: FamiliarAddresses,
    private readonly limit: HourlyLimit | undefined,
  ) {}

  /** Of a sign-in with right credentials, before it is recorded. */
  async judge({ id, lastLoginAt }: AccountRow, place: SignInPlace): Promise<Newness> {
    if (this.limit === undefined || lastLoginAt === null) return { isNew: false, isTold: false };
    const isNew = !(await this.familiar.knows(id, place));
    return { isNew, isTold: isNew && (await this.limit.count(`new-device:${id}`)) === 0 };
  }
}
