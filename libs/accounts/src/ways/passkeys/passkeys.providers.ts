import { Database } from '@app/persistence';
import { AccountsStore } from '../../account/accounts.store';
import { FactorEnrolments } from '../../factors/factor-enrolments';
import { exportPart } from '../../export/export-part.providers';
import { Challenges } from '../../sign-in/challenges';
import { construct, from } from '../../provide.providers';
import { PendingSignIns } from '../../sign-in/pending-sign-ins';
import { RecoveryCodes } from '../recovery-codes/recovery-codes';
import type { SignInWay } from '../way.providers';
import { PasskeyEnrolments } from './passkey-enrolments';
import { PasskeyFactor } from './passkey-factor';
import { PasskeySignIn } from './passkey-sign-in';
import { PasskeyVerifier } from './passkey-verifier';
import { passkeyTable } from './passkey.table';
import { PasskeysController } from './passkeys.controller';
import { credentialRules, ExportedPasskey } from './passkeys.dto';
import { endPasskeys, PasskeysStore } from './passkeys.store';
import { passkeyHost, passkeySettings } from './relying-party';

/** Passkeys (WebAuthn): sign-in without a user name, and second factor. */
export const passkeysWay: SignInWay<typeof passkeySettings> = {
  name: 'passkeys',
  settings: passkeySettings,
  tables: [passkeyTable],
  factors: [{ kind: 'passkey', provide: PasskeyFactor, proof: { credential: credentialRules } }],
  controllers: [PasskeysController],
  access: { end: endPasskeys, outlivesRecovery: true },
  providers: (settings, { appUrl, application }) => [
    construct(PasskeysStore, [Database]),
    from(
      PasskeyVerifier,
      [PasskeysStore, Database],
      (store, db) =>
        new PasskeyVerifier(
          store,
          new Challenges(db, 'passkeys', application),
          passkeyHost(settings, appUrl),
        ),
    ),
    construct(PasskeyFactor, [PasskeysStore, PasskeyVerifier]),
    construct(PasskeyEnrolments, [FactorEnrolments, PasskeysStore, PasskeyVerifier, RecoveryCodes]),
    construct(PasskeySignIn, [AccountsStore, PasskeysStore, PendingSignIns, PasskeyVerifier]),
    exportPart(PasskeysStore, {
      name: 'passkeys',
      as: ExportedPasskey,
      // An account has twenty at most.
      read: (store, id, { after }) => (after === undefined ? store.listOf(id) : Promise.resolve([])),
    }),
  ],
};
