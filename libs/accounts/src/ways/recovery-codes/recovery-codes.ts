import { type Database, inTransaction, type Queries } from '@app/persistence';
import type { AuditLog } from '../../audit/audit-log';
import type { SignInOrigin } from '../../devices/sign-in-origin';
import type { EnrolledFactor, FactorProof, SignInFactor } from '../../factors/sign-in-factor';
import { makeRecoveryCodes, recoveryCodeHash } from './recovery-code';
import type { RecoveryCodesStore } from './recovery-codes.store';

/** Codes that are accepted in place of any second factor, each once. */
export class RecoveryCodes implements SignInFactor {
  readonly kind = 'recovery-code';
  readonly title = 'Recovery codes';
  readonly role = 'backup';

  constructor(
    private readonly db: Database,
    private readonly store: RecoveryCodesStore,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Makes ten codes in place of the previous ones.
   *
   * @param db the transaction that enrols a second factor
   */
  async replace(accountId: number, db: Queries): Promise<string[]> {
    const codes = makeRecoveryCodes();
    await this.store.set(
      accountId,
      codes.map((code) => recoveryCodeHash(accountId, code)),
      db,
    );
    return codes;
  }

  async list(accountId: number, db?: Queries): Promise<readonly EnrolledFactor[]> {
    const { kind } = this;
    const remaining = await this.store.count(accountId, db);
    return remaining === 0 ? [] : [{ id: kind, kind, name: null, createdAt: null, remaining }];
  }

  verify(
    accountId: number,
    { code }: FactorProof,
    { ip }: SignInOrigin,
  ): Promise<readonly string[] | undefined> {
    if (typeof code !== 'string') return Promise.resolve(undefined);
    const hash = recoveryCodeHash(accountId, code);
    return inTransaction(this.db, async (db) => {
      if (!(await this.store.use(accountId, hash, db))) return undefined;
      const detail = { factor: this.kind, left: await this.store.count(accountId, db) };
      await this.audit.record({ kind: 'factor-used', accountId, ip, detail }, db);
      return ['otp'];
    });
  }

  end(accountId: number, _id: string | undefined, db: Queries): Promise<boolean> {
    return this.store.removeAll(accountId, db);
  }
}
