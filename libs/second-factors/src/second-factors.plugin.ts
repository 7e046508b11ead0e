import { exportPart, FactorEnrolments, SignInServices } from '@app/accounts';
import { inSection } from '@app/contract';
import { deletesOld, jobOf } from '@app/persistence';
import { definePlugin } from '@app/service';
import { z } from 'zod';
import { recoveryCodeTable } from './recovery-codes/recovery-code.table';
import { RecoveryCodesController } from './recovery-codes/recovery-codes.controller';
import { RecoveryCodes } from './recovery-codes/recovery-codes.factor';
import { endRecoveryCodes, RecoveryCodesStore } from './recovery-codes/recovery-codes.store';
import { ENROLMENT_MS, TotpEnrolments } from './totp/totp-enrolments';
import { TotpSecrets } from './totp/totp-secrets';
import { TotpController } from './totp/totp.controller';
import { ExportedTotp } from './totp/totp.dto';
import { TotpFactor } from './totp/totp.factor';
import { endTotp, TotpStore } from './totp/totp.store';
import { totpTable } from './totp/totp.table';

const settings = {
  TOTP_ISSUER: z
    .string()
    .regex(/^[^:]{1,64}$/, { error: 'must be a name of at most 64 characters, without a colon' })
    .optional()
    .describe('Service name in authenticator apps. Default: the host in `APP_URL`.')
    .meta({ examples: ['Example'] }),
};

/** The plugin for authenticator applications as second factors, and for recovery codes that replace them. */
export function secondFactors() {
  return definePlugin({
    name: 'second-factors',
    settings,
    tables: [totpTable, recoveryCodeTable],
    controllers: inSection('accounts', [TotpController, RecoveryCodesController]),
    providers: ({ TOTP_ISSUER }) => [
      RecoveryCodes,
      RecoveryCodesStore,
      TotpFactor,
      TotpStore,
      {
        provide: TotpSecrets,
        inject: [TotpStore, SignInServices],
        useFactory: (store: TotpStore, services: SignInServices) =>
          new TotpSecrets(store, services.keysOf('totp')),
      },
      {
        provide: TotpEnrolments,
        inject: [FactorEnrolments, TotpStore, TotpSecrets, RecoveryCodes, SignInServices],
        useFactory: (
          enrolments: FactorEnrolments,
          store: TotpStore,
          secrets: TotpSecrets,
          recoveryCodes: RecoveryCodes,
          services: SignInServices,
        ) => {
          const codes = services.limiter({ limit: 10, windowSeconds: 900 });
          const issuer = TOTP_ISSUER ?? new URL(services.appUrl).hostname;
          return new TotpEnrolments({ enrolments, store, secrets, recoveryCodes, codes, issuer });
        },
      },
    ],
    factors: [
      {
        kind: 'totp',
        provide: TotpFactor,
        rank: 30,
        access: { end: endTotp, outlivesRecovery: true },
        scopedCallers: [],
        limit: 'failed-sign-ins',
        challenges: 'none',
        rows: { perAccount: 1 },
      },
      {
        kind: 'recovery-code',
        provide: RecoveryCodes,
        rank: 50,
        access: { end: endRecoveryCodes, outlivesRecovery: true },
        scopedCallers: [],
        limit: 'failed-sign-ins',
        challenges: 'none',
        rows: { perAccount: 10 },
      },
    ],
    exports: [
      exportPart(TotpStore, {
        name: 'totp',
        as: ExportedTotp,
        // An account has one at most.
        read: async (store, id, { after }) => {
          const row = after === undefined ? await store.find(id) : undefined;
          return row === undefined ? [] : [row];
        },
      }),
    ],
    jobs: [
      jobOf('totp-enrolments', TotpStore, (store, db) =>
        deletesOld(db, [
          {
            name: 'totp-enrolments',
            keepMs: ENROLMENT_MS,
            deleteOlder: (before, limit) => store.deleteUnconfirmed(before, limit),
          },
        ]),
      ),
      jobOf('totp-secrets', TotpSecrets, (secrets) => ({
        run: ({ inBatches }) => inBatches((limit) => secrets.resealNext(limit)),
      })),
    ],
  });
}
