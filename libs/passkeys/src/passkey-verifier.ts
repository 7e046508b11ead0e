import type { Challenges } from '@app/accounts';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { assertionSchema, challengeIn, registrationSchema } from './passkey-responses';
import type { PasskeyRow } from './passkey.table';
import type { PasskeyHost } from './relying-party';
import type { NewPasskey, PasskeysStore } from './passkeys.store';

/** A challenge's lifetime. */
const CHALLENGE_MS = 5 * 60_000;

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812). Every authenticator supports at least a single algorithm in this list. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** The purpose that a challenge serves, with its account. A sign-in by passkey alone does not know the account. */
export type ChallengePurpose =
  { readonly for: 'enrolment' | 'second-factor'; readonly accountId: number } | { readonly for: 'sign-in' };

/** A signature that was verified. */
export interface Assertion {
  readonly passkey: PasskeyRow;
  /** @see RFC 8176 */
  readonly amr: readonly string[];
}

/** The user for whom a passkey is made. */
export interface PasskeyOwner {
  readonly id: number;
  readonly email: string;
}

/**
 * Makes challenges and verifies authenticator signatures. A challenge is stored as a hash with its purpose, and is used once.
 *
 * @see Web Authentication Level 3, §7
 */
export class PasskeyVerifier {
  constructor(
    private readonly store: PasskeysStore,
    private readonly challenges: Challenges,
    private readonly party: PasskeyHost,
  ) {}

  /** Returns the options for `navigator.credentials.create`. The new passkey can be found without a user name. */
  async enrolmentOptions(
    { id, email }: PasskeyOwner,
    others: readonly PasskeyRow[],
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: this.party.id,
      rpID: this.party.id,
      userName: email,
      userDisplayName: email,
      userID: new TextEncoder().encode(userHandle(id)),
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      supportedAlgorithmIDs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: others.map(descriptorOf),
    });
    await this.keep(options.challenge, { for: 'enrolment', accountId: id });
    return options;
  }

  /**
   * Returns the options for `navigator.credentials.get`.
   *
   * @param passkeys the accepted passkeys; an empty list accepts every passkey
   */
  async assertionOptions(
    purpose: ChallengePurpose,
    passkeys: readonly PasskeyRow[] = [],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const options = await generateAuthenticationOptions({
      rpID: this.party.id,
      timeout: CHALLENGE_MS,
      userVerification: purpose.for === 'sign-in' ? 'required' : 'preferred',
      allowCredentials: passkeys.map(descriptorOf),
    });
    await this.keep(options.challenge, purpose);
    return options;
  }

  /**
   * Verifies a new passkey. Its challenge is used, whatever the result.
   *
   * @returns `undefined` if it is not accepted
   */
  async verifyEnrolment(
    sent: unknown,
    accountId: number,
  ): Promise<Omit<NewPasskey, 'name' | 'createdAt'> | undefined> {
    const { data: credential } = registrationSchema.safeParse(sent);
    const challenge = await this.useChallenge(credential, { for: 'enrolment', accountId });
    if (credential === undefined || challenge === undefined) return undefined;
    const { transports, ...response } = credential.response;
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      ...this.expected(challenge),
      supportedAlgorithmIDs,
    }).catch(() => unverified);
    if (!verified || registrationInfo?.credential.id !== credential.id) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      accountId,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.join(','),
    };
  }

  /**
   * Verifies a signature by the account's passkey. A sign-in without a user name accepts any passkey, which must verify the user
   * itself. The challenge is used, whatever the result.
   *
   * @returns `undefined` if the signature is rejected
   */
  async verifyAssertion(sent: unknown, purpose: ChallengePurpose): Promise<Assertion | undefined> {
    const { data: credential } = assertionSchema.safeParse(sent);
    const challenge = await this.useChallenge(credential, purpose);
    if (credential === undefined || challenge === undefined) return undefined;
    const passkey = await this.store.findByCredential(credential.id);
    if (passkey === undefined) return undefined;
    if (purpose.for !== 'sign-in' && passkey.accountId !== purpose.accountId) return undefined;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      ...this.expected(challenge),
      requireUserVerification: purpose.for === 'sign-in',
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => unverified);
    if (!verified || authenticationInfo === undefined) return undefined;
    const { userHandle: handle } = credential.response;
    const ownHandle = Buffer.from(userHandle(passkey.accountId)).toString('base64url');
    if (handle !== undefined && handle !== ownHandle) return undefined;
    if (!(await this.store.use(passkey, authenticationInfo.newCounter))) return undefined;
    const key = authenticationInfo.credentialDeviceType === 'singleDevice' ? 'hwk' : 'swk';
    return { passkey, amr: authenticationInfo.userVerified ? [key, 'user', 'mfa'] : [key, 'user'] };
  }

  private expected(expectedChallenge: string) {
    const { id, origins } = this.party;
    return { expectedChallenge, expectedOrigin: [...origins], expectedRPID: id };
  }

  private keep(challenge: string, purpose: ChallengePurpose): Promise<void> {
    const token = tokenOf(challenge, purpose);
    // The token has the account: removed with that, the challenge would make a 400 of what is a 401.
    return this.challenges.add({ token, accountId: null, challengeState: '', lifetimeMs: CHALLENGE_MS });
  }

  /** @returns the signed challenge, if it has this purpose and is unused */
  private async useChallenge(
    credential: { readonly response: { readonly clientDataJSON: string } } | undefined,
    purpose: ChallengePurpose,
  ): Promise<string | undefined> {
    const challenge = credential && challengeIn(credential.response.clientDataJSON);
    if (challenge === undefined) return undefined;
    return (await this.challenges.use(tokenOf(challenge, purpose))) && challenge;
  }
}

/** Returns a token that includes the purpose, so that the challenge is unknown for a different purpose. */
function tokenOf(challenge: string, purpose: ChallengePurpose): string {
  return JSON.stringify([purpose, challenge]);
}

/** The result for a rejected response, since the library throws for most invalid input. */
const unverified = { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const;

/** Returns the account's name for authenticators. It contains the id, which reveals nothing about the person. */
function userHandle(accountId: number): string {
  return `account ${accountId}`;
}

function descriptorOf({ credentialId: id, transports }: PasskeyRow) {
  return { id, transports: transports === '' ? undefined : transports.split(',') };
}
