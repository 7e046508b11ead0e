import { exportPart, SignInServices } from '@app/accounts';
import { inSection } from '@app/contract';
import { definePlugin } from '@app/service';
import { MAX_PASSKEYS, PasskeyEnrolments } from './passkey-enrolments';
import { PasskeySignIn } from './passkey-sign-in';
import { PasskeyVerifier } from './passkey-verifier';
import { PasskeyFactor } from './passkey.factor';
import { passkeyTable } from './passkey.table';
import { PasskeysController } from './passkeys.controller';
import { credentialRules, ExportedPasskey } from './passkeys.dto';
import { endPasskeys, PasskeysStore } from './passkeys.store';
import { passkeyHost, passkeySettings } from './relying-party';

/** The plugin of passkeys (WebAuthn), which sign in without a user name and are a second factor. */
export function passkeys() {
  return definePlugin({
    name: 'passkeys',
    settings: passkeySettings,
    tables: [passkeyTable],
    controllers: inSection('accounts', [PasskeysController]),
    providers: (settings) => [
      PasskeyEnrolments,
      PasskeyFactor,
      PasskeySignIn,
      PasskeysStore,
      {
        provide: PasskeyVerifier,
        inject: [PasskeysStore, SignInServices],
        useFactory: (store: PasskeysStore, services: SignInServices) =>
          new PasskeyVerifier(
            store,
            services.challengesOf('passkeys'),
            passkeyHost(settings, services.appUrl),
          ),
      },
    ],
    factors: [
      {
        kind: 'passkey',
        provide: PasskeyFactor,
        rank: 40,
        proof: { credential: credentialRules },
        access: { end: endPasskeys, outlivesRecovery: true },
        scopedCallers: [],
        limit: 'failed-sign-ins',
        challenges: 'program',
        rows: { perAccount: MAX_PASSKEYS },
      },
    ],
    exports: [
      exportPart(PasskeysStore, {
        name: 'passkeys',
        as: ExportedPasskey,
        // An account has twenty at most.
        read: (store, id, { after }) => (after === undefined ? store.listOf(id) : Promise.resolve([])),
      }),
    ],
  });
}
