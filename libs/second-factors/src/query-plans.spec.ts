import { AccountsStore, AuditLog, SignInFactors } from '@app/accounts';
import { lookupsIn, useAccountsDatabase } from '@app/accounts/testing';
import { deriveKeys } from '@app/auth';
import { QueryRecord } from '@app/persistence/testing';
import { secondFactorsSchema } from '../testing/second-factors-schema';
import { RecoveryCodes } from './recovery-codes/recovery-codes.factor';
import { RecoveryCodesStore } from './recovery-codes/recovery-codes.store';
import { TotpSecrets } from './totp/totp-secrets';
import { TotpFactor } from './totp/totp.factor';
import { endTotp, TotpStore } from './totp/totp.store';

describe('the queries of second factors', () => {
  const store = useAccountsDatabase(secondFactorsSchema);
  const record = new QueryRecord();

  beforeEach(async () => {
    const { db } = store;
    const now = new Date();
    const { id } = await new AccountsStore(db).insert({ email: 'ada@example.com', passwordHash: 'a hash' });
    const totp = new TotpStore(db);
    const secrets = new TotpSecrets(totp, deriveKeys({ secret: 'a secret', previous: ['another'] }, 'totp'));
    await totp.begin({ accountId: id, ...secrets.seal('GEZDGNBV', id), createdAt: now }, db);
    await totp.confirm(id, 1, db);
    await totp.useStep(id, 2);
    const codes = new RecoveryCodesStore(db);
    await codes.set(id, ['a hash'], db);
    const factors = [new TotpFactor(totp, secrets), new RecoveryCodes(codes, new AuditLog(db, 'api'))];
    await new SignInFactors(factors, db).enrolledOf(id);
    await codes.has(id, 'a hash');
    await codes.use(id, 'a hash');
    await codes.count(id);
    await secrets.resealNext(10);
    const row = await totp.find(id);
    if (row) await totp.reseal(row, row);
    await totp.deleteUnconfirmed(now, 10);
    await totp.remove(id, db);
    await endTotp(id, now, db);
  });

  it('read no growing table completely', async () => {
    expect(record.unexecuted('libs/second-factors/src')).toEqual({});
    expect(await record.fullScans(store.db)).toEqual([]);
  });

  it('name the account whose rows they touch, but for these of jobs', () => {
    expect(lookupsIn(record.queries, secondFactorsSchema.tables)).toEqual([
      'totp by id, confirmed_at, created_at, confirmed_at',
      'totp by id, sealed_secret',
      'totp by sealed_by',
    ]);
  });
});
