import type { Client, FactorProof, ProvenFactor, SignInFactor } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { Expression } from 'kysely';
import { stepOfCode } from './totp-code';
import { TotpSecrets } from './totp-secrets';
import { TotpStore } from './totp.store';

/** The authenticator application code, for accounts that have enrolled an application. */
@Injectable()
export class TotpFactor implements SignInFactor {
  readonly kind = 'totp';
  readonly title = 'An authenticator application';
  readonly role = 'second';

  constructor(
    private readonly store: TotpStore,
    private readonly secrets: TotpSecrets,
  ) {}

  async list(accountId: number, db?: Queries) {
    const totp = await this.store.find(accountId, db);
    if (totp === undefined || totp.confirmedAt === null) return [];
    const { kind } = this;
    return [{ id: kind, kind, name: null, createdAt: totp.confirmedAt, remaining: null }];
  }

  enrolled(account: Expression<number>, db: Queries): Expression<unknown> {
    return db
      .selectFrom('totp')
      .select('sealedSecret')
      .where('accountId', '=', account)
      .where('confirmedAt', 'is not', null);
  }

  /** @param sealedSecret the value that {@link enrolled} selects */
  async verify(
    accountId: number,
    { code }: FactorProof,
    _client: Client,
    sealedSecret: unknown,
  ): Promise<ProvenFactor | undefined> {
    const digits = typeof code === 'string' ? code.replaceAll(' ', '') : '';
    if (!/^[0-9]{6}$/.test(digits) || typeof sealedSecret !== 'string') return undefined;
    const secret = this.secrets.unseal({ accountId, sealedSecret });
    const step = secret === undefined ? undefined : stepOfCode(secret, digits, new Date());
    return step === undefined
      ? undefined
      : { amr: ['otp'], use: (db) => this.store.useStep(accountId, step, db) };
  }

  end(accountId: number, _id: string | undefined, db: Queries): Promise<boolean> {
    return this.store.remove(accountId, db);
  }
}
