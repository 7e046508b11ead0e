import type { Queries } from '@app/persistence';
import type { Rate } from '@app/settings';
import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../account/account.table';
import { accountSubject } from '../limits/attempt-subjects';
import { Limiter } from '../limits/limiter';
import type { Client } from './client';
import { KnownDevices } from './known-devices';
import { AccountsOptions } from '../options';
import { AttemptsStore } from '../limits/attempts.store';

/** The limit for new-device mails to an e-mail, so that somebody who has a password cannot fill the mailbox. */
const notices: Rate = { limit: 5, windowSeconds: 3600 };

/** The result for a sign-in's device. */
export interface DeviceCheck {
  readonly isNew: boolean;
  /** Whether the owner is notified by mail. */
  readonly isNotified: boolean;
}

/**
 * Recognizes sign-ins from new devices. A device is new if the account did not use its address or its name for sign-ins within
 * 30 days. An account's first sign-in always counts as known.
 */
@Injectable()
export class NewDevices {
  /** The mail limit per e-mail; absent if users are not notified. */
  private readonly limit: Limiter | undefined;

  constructor(
    private readonly knownDevices: KnownDevices,
    attempts: AttemptsStore,
    { settings }: AccountsOptions,
  ) {
    if (settings.NEW_DEVICE_MAIL === 'on') this.limit = new Limiter(notices, attempts);
  }

  /**
   * Records a sign-in's device, in its transaction.
   *
   * @param account the account as it was before the sign-in
   */
  async record({ id, email, lastLoginAt }: AccountRow, client: Client, db: Queries): Promise<DeviceCheck> {
    const isKnown = await this.knownDevices.record(id, client, db);
    const isNew = this.limit !== undefined && lastLoginAt !== null && !isKnown;
    const isNotified = isNew && (await this.limit.count(`new-device:${accountSubject(email)}`, db)) === 0;
    return { isNew, isNotified };
  }
}
