import { AuditLog, Limiter } from '@app/accounts';
import {
  type FakeTime,
  type Instance as AccountsInstance,
  makeInstance as makeAccounts,
  secret,
} from '@app/accounts/testing';
import { deriveKeys } from '@app/auth';
import type { Database } from '@app/persistence';
import { RecoveryCodes } from '../src/recovery-codes/recovery-codes.factor';
import { RecoveryCodesStore } from '../src/recovery-codes/recovery-codes.store';
import { secondFactors } from '../src/second-factors.plugin';
import { TotpEnrolments } from '../src/totp/totp-enrolments';
import { TotpSecrets } from '../src/totp/totp-secrets';
import { TotpFactor } from '../src/totp/totp.factor';
import { TotpStore } from '../src/totp/totp.store';

/** The services in a process with second factors. */
export interface Instance extends AccountsInstance {
  readonly totp: TotpEnrolments;
}

/** Creates the services as the plugin does. */
export function makeInstance(db: Database, time: FakeTime): Instance {
  const store = new TotpStore(db);
  const secrets = new TotpSecrets(store, deriveKeys({ secret }, 'totp'));
  const recoveryCodes = new RecoveryCodes(new RecoveryCodesStore(db), new AuditLog(db, 'api'));
  const { factors: declarations = [] } = secondFactors();
  const factors = [new TotpFactor(store, secrets), recoveryCodes];
  const instance = makeAccounts(db, time, { factors, declarations });
  const { enrolments } = instance;
  const codes = new Limiter(false);
  return {
    ...instance,
    totp: new TotpEnrolments({ enrolments, store, secrets, recoveryCodes, codes, issuer: 'tests' }),
  };
}
