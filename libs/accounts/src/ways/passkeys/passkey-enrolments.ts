import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { SignedInUser } from '../../access/access-check';
import type { FactorEnrolments } from '../../factors/factor-enrolments';
import type { RecoveryCodes } from '../recovery-codes/recovery-codes';
import { InvalidPasskeyError, TooManyPasskeysError } from './errors';
import { factorIdOf } from './passkey-factor';
import type { PasskeyVerifier } from './passkey-verifier';
import type { PasskeysStore } from './passkeys.store';

const MAX_PASSKEYS = 20;

/** An enrolled passkey. */
export interface EnrolledPasskey {
  /** That of the factor. */
  readonly id: string;
  /** Empty if the account had some. */
  readonly recoveryCodes: string[];
}

/** Enrols passkeys of accounts. */
export class PasskeyEnrolments {
  constructor(
    private readonly enrolments: FactorEnrolments,
    private readonly store: PasskeysStore,
    private readonly verifier: PasskeyVerifier,
    private readonly recoveryCodes: RecoveryCodes,
  ) {}

  /**
   * What the browser needs to make a passkey, which must be confirmed within five minutes.
   *
   * @throws TooManyPasskeysError
   */
  async begin({ userId, username }: SignedInUser): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const others = await this.store.listOf(userId);
    if (others.length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
    return this.verifier.enrolmentOptions({ id: userId, email: username }, others);
  }

  /**
   * Adds a passkey: sign-ins by the password require a second factor from now on.
   *
   * @throws InvalidPasskeyError, TooManyPasskeysError
   * @throws the errors of {@link FactorEnrolments.add}
   */
  async confirm(
    caller: SignedInUser,
    credential: object,
    name: string | null,
    ip: string,
  ): Promise<EnrolledPasskey> {
    const verified = await this.verifier.verifyEnrolment(credential, caller.userId);
    if (verified === undefined) throw new InvalidPasskeyError();
    return this.enrolments.add(caller, { kind: 'passkey' }, ip, async ({ id: accountId }, db) => {
      if ((await this.store.listOf(accountId, db)).length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
      const id = await this.store.insert({ ...verified, name, createdAt: new Date() }, db);
      if (id === undefined) throw new InvalidPasskeyError();
      const hasCodes = (await this.recoveryCodes.list(accountId, db)).length > 0;
      const recoveryCodes = hasCodes ? [] : await this.recoveryCodes.replace(accountId, db);
      return { id: factorIdOf(id), recoveryCodes };
    });
  }
}
