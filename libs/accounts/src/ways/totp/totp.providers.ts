import { deriveKeys } from '@app/auth';
import { Database, deletesOld, jobOf } from '@app/persistence';
import type { Rate } from '@app/settings';
import { z } from 'zod';
import { FactorEnrolments } from '../../factors/factor-enrolments';
import { exportPart } from '../../export/export-part.providers';
import { AttemptsStore } from '../../limits/attempts.store';
import { Limiter } from '../../limits/limiter';
import { construct, from } from '../../provide.providers';
import { RecoveryCodes } from '../recovery-codes/recovery-codes';
import type { SignInWay } from '../way.providers';
import { ENROLMENT_MS, TotpEnrolments } from './totp-enrolments';
import { TotpController } from './totp.controller';
import { ExportedTotp } from './totp.dto';
import { TotpFactor } from './totp-factor';
import { TotpSecrets } from './totp-secrets';
import { endTotp, TotpStore } from './totp.store';
import { totpTable } from './totp.table';

const settings = {
  TOTP_ISSUER: z
    .string()
    .regex(/^[^:]{1,64}$/, { error: 'must be a name of at most 64 characters, without a colon' })
    .optional()
    .describe('Service name in authenticator apps. Default: the host in `APP_URL`.')
    .meta({ examples: ['Example'] }),
};

/** Of the codes that an account sends to confirm an enrolment. */
const confirmations: Rate = { limit: 10, windowSeconds: 900 };

/** Codes of authenticator applications, as second factor. */
export const totpWay: SignInWay<typeof settings> = {
  name: 'totp',
  settings,
  tables: [totpTable],
  factors: [{ kind: 'totp', provide: TotpFactor }],
  controllers: [TotpController],
  access: { end: endTotp, outlivesRecovery: true },
  providers: ({ TOTP_ISSUER }, { secrets, appUrl }) => [
    construct(TotpStore, [Database]),
    from(TotpSecrets, [TotpStore], (store) => new TotpSecrets(store, deriveKeys(secrets(), 'totp'))),
    construct(TotpFactor, [TotpStore, TotpSecrets]),
    from(
      TotpEnrolments,
      [FactorEnrolments, TotpStore, TotpSecrets, RecoveryCodes, AttemptsStore],
      (enrolments, store, sealed, recoveryCodes, attempts) =>
        new TotpEnrolments({
          enrolments,
          store,
          secrets: sealed,
          recoveryCodes,
          codes: new Limiter(confirmations, attempts),
          issuer: TOTP_ISSUER ?? new URL(appUrl).hostname,
        }),
    ),
    exportPart(TotpStore, {
      name: 'totp',
      as: ExportedTotp,
      // An account has one at most.
      read: async (store, id, { after }) => {
        const row = after === undefined ? await store.find(id) : undefined;
        return row === undefined ? [] : [row];
      },
    }),
    jobOf('totp-enrolments', TotpStore, (store, db) =>
      deletesOld(db, [
        {
          name: 'totp-enrolments',
          keepMs: ENROLMENT_MS,
          deleteOlder: (before, limit) => store.deleteUnconfirmed(before, limit),
        },
      ]),
    ),
    jobOf('totp-secrets', TotpSecrets, (sealed) => ({
      run: ({ inBatches }) => inBatches((limit) => sealed.resealNext(limit)),
    })),
  ],
};
