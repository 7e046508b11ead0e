import type { AccountRow } from '../account/account.table';
import { accountSubject } from '../limits/attempt-subjects';
import type { KnownDevices } from './known-devices';
import type { SharedLimit } from '../limits/shared-limit';
import type { SignInPlace } from './sign-in-origin';

/** Whether a sign-in is from a device that is not known for its account. */
export interface DeviceCheck {
  readonly isNew: boolean;
  /** Whether its owner is notified by mail. */
  readonly isNotified: boolean;
}

/**
 * Recognises sign-ins from new devices: an address or a device name from which the account did not sign in within 30 days. The first
 * sign-in of an account is none.
 */
export class NewDevices {
  /** @param limit of mails to one e-mail; `undefined` sends none, and looks nothing up */
  constructor(
    private readonly knownDevices: KnownDevices,
    private readonly limit: SharedLimit | undefined,
  ) {}

  /** Checks a sign-in with right credentials, before it is recorded. */
  async check({ id, email, lastLoginAt }: AccountRow, place: SignInPlace): Promise<DeviceCheck> {
    if (this.limit === undefined || lastLoginAt === null) return { isNew: false, isNotified: false };
    const isNew = !(await this.knownDevices.has(id, place));
    return {
      isNew,
      isNotified: isNew && (await this.limit.count(`new-device:${accountSubject(email)}`)) === 0,
    };
  }
}
