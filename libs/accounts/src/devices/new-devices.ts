import type { Queries } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import { accountSubject } from '../limits/attempt-subjects';
import type { Limiter } from '../limits/limiter';
import type { Client } from './client';
import type { KnownDevices } from './known-devices';

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
  /** @param limit of mails to one e-mail; `undefined` sends none */
  constructor(
    private readonly knownDevices: KnownDevices,
    private readonly limit: Limiter | undefined,
  ) {}

  /**
   * Records the device of a sign-in, in its transaction.
   *
   * @param account as it was before the sign-in
   */
  async record({ id, email, lastLoginAt }: AccountRow, client: Client, db: Queries): Promise<DeviceCheck> {
    const isKnown = await this.knownDevices.record(id, client, db);
    const isNew = this.limit !== undefined && lastLoginAt !== null && !isKnown;
    const isNotified = isNew && (await this.limit.count(`new-device:${accountSubject(email)}`, db)) === 0;
    return { isNew, isNotified };
  }
}
