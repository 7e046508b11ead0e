import { type Database, inTransaction } from '@app/persistence';
import type { AccountRow } from '../account/account.table';
import type { TotpRow } from './totp.table';
import type { AuditLog } from '../audit/audit-log';
import type { SignInOrigin } from '../devices/sign-in-origin';
import type { FactorResult, SignInFactor } from '../sign-in/sign-in-factors';
import { TotpRequiredError } from '../errors';
import { recoveryCodeHash } from './recovery-code';
import { stepOfCode } from './totp-code';
import type { TotpSecrets } from './totp-secrets';
import type { TotpStore } from './totp.store';

/** The header of a sign-in with the code. */
const HEADER = 'sign-in-code';

/** The code of an authenticator application, or a recovery code, of the accounts that have enrolled. */
export class TotpFactor implements SignInFactor {
  readonly kind = 'totp';

  constructor(
    private readonly db: Database,
    private readonly store: TotpStore,
    private readonly secrets: TotpSecrets,
    private readonly audit: AuditLog,
  ) {}

  /** @throws TotpRequiredError if the request has no code */
  async check({ id }: AccountRow, { headers, ip }: SignInOrigin): Promise<FactorResult> {
    const totp = await this.store.find(id);
    if (totp === undefined || totp.confirmedAt === null) return 'not-required';
    const code = headers?.[HEADER];
    if (typeof code !== 'string') throw new TotpRequiredError();
    const digits = code.replaceAll(' ', '');
    const isRight = /^[0-9]{6}$/.test(digits)
      ? await this.useCode(totp, digits)
      : await this.useRecoveryCode(id, code, ip);
    return isRight ? 'verified' : 'rejected';
  }

  private async useCode(totp: TotpRow, code: string): Promise<boolean> {
    const secret = this.secrets.unseal(totp);
    const step = secret === undefined ? undefined : stepOfCode(secret, code, new Date());
    return step !== undefined && this.store.useStep(totp.accountId, step);
  }

  private useRecoveryCode(accountId: number, code: string, ip: string): Promise<boolean> {
    const hash = recoveryCodeHash(accountId, code);
    return inTransaction(this.db, async (db) => {
      if (!(await this.store.useRecoveryCode(accountId, hash, db))) return false;
      const detail = { left: await this.store.countRecoveryCodes(accountId, db) };
      await this.audit.record({ kind: 'recovery-code-used', accountId, ip, detail }, db);
      return true;
    });
  }
}
