import type { Queries } from '@app/persistence';
import type { EnrolledFactor, FactorProof, SignInFactor } from '../../factors/sign-in-factor';
import { stepOfCode } from './totp-code';
import type { TotpSecrets } from './totp-secrets';
import type { TotpStore } from './totp.store';

/** The code of an authenticator application, of the accounts that have enrolled one. */
export class TotpFactor implements SignInFactor {
  readonly kind = 'totp';
  readonly title = 'An authenticator application';
  readonly role = 'second';

  constructor(
    private readonly store: TotpStore,
    private readonly secrets: TotpSecrets,
  ) {}

  async list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]> {
    const totp = await this.store.find(accountId, db);
    if (totp === undefined || totp.confirmedAt === null) return [];
    const { kind } = this;
    return [{ id: kind, kind, name: null, createdAt: totp.confirmedAt, remaining: null }];
  }

  async verify(accountId: number, { code }: FactorProof): Promise<readonly string[] | undefined> {
    const digits = typeof code === 'string' ? code.replaceAll(' ', '') : '';
    const totp = /^[0-9]{6}$/.test(digits) ? await this.store.find(accountId) : undefined;
    const secret = totp && this.secrets.unseal(totp);
    const step = secret === undefined ? undefined : stepOfCode(secret, digits, new Date());
    return step !== undefined && (await this.store.useStep(accountId, step)) ? ['otp'] : undefined;
  }

  end(accountId: number, _id: string | undefined, db: Queries): Promise<boolean> {
    return this.store.remove(accountId, db);
  }
}
