import { createHmac, type KeyObject } from 'node:crypto';
import { seal, type SealKeys, unseal } from '@app/mail';
import type { TotpRow } from './totp.table';
import type { SealedSecret, TotpStore } from './totp.store';

/** Encrypts account secrets. A secret that is copied to a different account is unreadable. */
export class TotpSecrets {
  private readonly current: string;
  private readonly previousKeys: readonly string[];

  /** @param keys the first key encrypts, all keys decrypt */
  constructor(
    private readonly store: TotpStore,
    private readonly keys: SealKeys,
  ) {
    const [key, ...previous] = keys;
    this.current = nameOf(key);
    this.previousKeys = previous.map(nameOf);
  }

  seal(secret: string, accountId: number): SealedSecret {
    return { sealedSecret: seal(secret, this.keys, contextOf(accountId)), sealedBy: this.current };
  }

  /** @returns `undefined` if it was not encrypted with a current key for this account */
  unseal({ accountId, sealedSecret }: Pick<TotpRow, 'accountId' | 'sealedSecret'>): string | undefined {
    return unseal(sealedSecret, this.keys, contextOf(accountId));
  }

  /**
   * Encrypts secrets again that used previous keys, so that operators can remove the old keys from the settings.
   *
   * @returns the number of secrets; `limit` if there may be more
   */
  async resealNext(limit: number): Promise<number> {
    if (this.previousKeys.length === 0) return 0;
    const rows = await this.store.sealedBy(this.previousKeys, limit);
    for (const row of rows) {
      const secret = this.unseal(row);
      // One that is not readable is given up: it would be read again and again.
      const sealed =
        secret === undefined ? { ...row, sealedBy: 'unknown' } : this.seal(secret, row.accountId);
      await this.store.reseal(row, sealed);
    }
    return rows.length;
  }
}

/** Names a key, and reveals nothing of it. */
function nameOf(key: KeyObject): string {
  return createHmac('sha256', key).update('name').digest('base64url').slice(0, 16);
}

function contextOf(accountId: number): string {
  return `totp of account ${accountId}`;
}
