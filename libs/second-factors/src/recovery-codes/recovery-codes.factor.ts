import { AuditLog, type Client, type FactorProof, type ProvenFactor, type SignInFactor } from '@app/accounts';
import type { Queries } from '@app/persistence';
import { Injectable } from '@nestjs/common';
import type { Expression } from 'kysely';
import { makeRecoveryCodes, recoveryCodeHash } from './recovery-code';
import { RecoveryCodesStore } from './recovery-codes.store';

/** The recovery codes, each of which replaces any second factor once. */
@Injectable()
export class RecoveryCodes implements SignInFactor {
  readonly kind = 'recovery-code';
  readonly title = 'Recovery codes';
  readonly role = 'backup';

  constructor(
    private readonly store: RecoveryCodesStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Makes ten codes, which replace the previous codes.
   *
   * @param db the transaction that enrols a second factor
   */
  async issue(accountId: number, db: Queries): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await this.store.set(
      accountId,
      codes.map((code) => recoveryCodeHash(accountId, code)),
      db,
    );
    return codes;
  }

  async list(accountId: number, db?: Queries) {
    const { kind } = this;
    const remaining = await this.store.count(accountId, db);
    return remaining === 0 ? [] : [{ id: kind, kind, name: null, createdAt: null, remaining }];
  }

  enrolled(account: Expression<number>, db: Queries): Expression<unknown> {
    return db.selectFrom('recoveryCode').select('hash').where('accountId', '=', account).limit(1);
  }

  async verify(accountId: number, { code }: FactorProof, { ip }: Client): Promise<ProvenFactor | undefined> {
    if (typeof code !== 'string') return undefined;
    const hash = recoveryCodeHash(accountId, code);
    if (!(await this.store.has(accountId, hash))) return undefined;
    const use = async (db: Queries) => {
      if (!(await this.store.use(accountId, hash, db))) return false;
      const detail = { factor: this.kind, left: await this.store.count(accountId, db) };
      await this.audit.record({ kind: 'factor-used', accountId, ip, detail }, db);
      return true;
    };
    return { amr: ['otp'], use };
  }

  end(accountId: number, _id: string | undefined, db: Queries): Promise<boolean> {
    return this.store.removeAll(accountId, db);
  }
}
