import { FactorEnrolments, type SignedInUser } from '@app/accounts';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { InvalidPasskeyError, TooManyPasskeysError } from './errors';
import { PasskeyVerifier } from './passkey-verifier';
import { factorIdOf } from './passkey.factor';
import { PasskeysStore } from './passkeys.store';

/** The most passkeys per account. */
export const MAX_PASSKEYS = 20;

/** An enrolled passkey. */
export interface EnrolledPasskey {
  /** The factor id. */
  readonly id: string;
  /** The new recovery codes; empty if the account already had recovery codes. */
  readonly recoveryCodes: string[];
}

/** Enrols passkeys of accounts. */
@Injectable()
export class PasskeyEnrolments {
  constructor(
    private readonly enrolments: FactorEnrolments,
    private readonly store: PasskeysStore,
    private readonly verifier: PasskeyVerifier,
  ) {}

  /**
   * Returns the options that the browser needs to create a passkey. The passkey must be confirmed within five minutes.
   *
   * @throws TooManyPasskeysError
   */
  async begin({ userId, username }: SignedInUser): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const others = await this.store.listOf(userId);
    if (others.length >= MAX_PASSKEYS) throw new TooManyPasskeysError();
    return this.verifier.enrolmentOptions({ id: userId, email: username }, others);
  }

  /**
   * Adds a passkey. Password sign-ins require a second factor from now on.
   *
   * @throws InvalidPasskeyError, TooManyPasskeysError
   * @throws the {@link FactorEnrolments.add} errors
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
      return { id: factorIdOf(id), recoveryCodes: await this.enrolments.issueMissing(accountId, db) };
    });
  }
}
