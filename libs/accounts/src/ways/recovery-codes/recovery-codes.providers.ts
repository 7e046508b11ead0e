import { Database } from '@app/persistence';
import { AuditLog } from '../../audit/audit-log';
import { construct } from '../../provide.providers';
import type { SignInWay } from '../way.providers';
import { recoveryCodeTable } from './recovery-code.table';
import { RecoveryCodes } from './recovery-codes';
import { RecoveryCodesController } from './recovery-codes.controller';
import { endRecoveryCodes, RecoveryCodesStore } from './recovery-codes.store';

/** Codes in place of a second factor. */
export const recoveryCodesWay: SignInWay = {
  name: 'recovery-codes',
  tables: [recoveryCodeTable],
  factors: [{ kind: 'recovery-code', provide: RecoveryCodes }],
  controllers: [RecoveryCodesController],
  access: { end: endRecoveryCodes, outlivesRecovery: true },
  providers: () => [
    construct(RecoveryCodesStore, [Database]),
    construct(RecoveryCodes, [RecoveryCodesStore, AuditLog]),
  ],
};
