import { randomBytes } from 'node:crypto';
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

const rpId = 'attack.example';
const origin = `https://${rpId}`;

interface Passkey {
  readonly id: string;
  readonly owner: number;
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
}

type Credential = RegistrationResponseJSON & AuthenticationResponseJSON;

/** Whether a value contains client data that a browser signed. */
export function isCredential(value: unknown): value is Credential {
  const response: unknown = Reflect.get(Object(value), 'response');
  return typeof Reflect.get(Object(response), 'clientDataJSON') === 'string';
}

/** The passkeys of a service with chosen faults. */
export class FaultyPasskeys {
  private readonly has: (fault: string) => boolean;
  private readonly passkeys: Passkey[] = [];
  /** The purpose of each challenge. */
  private readonly challenges = new Map<string, string>();
  private count = 0;

  constructor(has: (fault: string) => boolean) {
    this.has = has;
  }

  hasSome(owner: number): boolean {
    return this.passkeys.some((passkey) => passkey.owner === owner);
  }

  endAll(owner: number): void {
    this.passkeys.splice(0, Infinity, ...this.passkeys.filter((passkey) => passkey.owner !== owner));
  }

  /**
   * Creates a challenge.
   *
   * @param purpose the ceremony, and the account if it is known
   */
  ask(purpose: string, owner = 0): object {
    const challenge = randomBytes(32).toString('base64url');
    this.challenges.set(challenge, purpose);
    return { options: { challenge, rpId, rp: { id: rpId }, user: { id: handleOf(owner) } } };
  }

  async enrol(owner: number, purpose: string, response: Credential): Promise<Passkey | undefined> {
    if (this.has('passkey-members')) void [...(response.response.transports ?? [])];
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...this.expected(response, purpose),
      requireUserVerification: !this.has('enrolled-unverified'),
    }).catch(() => ({ registrationInfo: undefined }));
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    const taken = this.passkeys.findIndex(({ credentialId }) => credentialId === id);
    if (taken !== -1 && !this.has('passkey-names')) return undefined;
    if (taken !== -1) this.passkeys.splice(taken, 1);
    const passkey = { id: `passkey-${(this.count += 1)}`, owner, credentialId: id, publicKey, counter };
    this.passkeys.push(passkey);
    return passkey;
  }

  /** Verifies a signed challenge and returns the passkey's account. */
  async verify(purpose: string, response: Credential, owner?: number): Promise<number | undefined> {
    const passkey = this.passkeys.find(({ credentialId }) => credentialId === response.id);
    const { userHandle = '' } = response.response;
    const isOwner = owner === undefined || owner === passkey?.owner || this.has('passkey-owners');
    if (passkey === undefined || !isOwner) return undefined;
    if (userHandle !== handleOf(passkey.owner) && !this.has('passkey-handles')) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...this.expected(response, purpose),
      requireUserVerification: owner === undefined && !this.has('unverified-users'),
      credential: {
        id: passkey.credentialId,
        publicKey: passkey.publicKey,
        counter: this.has('passkey-counters') ? 0 : passkey.counter,
      },
    }).catch(() => ({ verified: false, authenticationInfo: undefined }));
    if (authenticationInfo === undefined || !(verified || this.has('signatures'))) return undefined;
    passkey.counter = authenticationInfo.newCounter;
    return owner ?? passkey.owner;
  }

  end(owner: number, id: string): boolean {
    const isEnded = (passkey: Passkey) =>
      passkey.id === id && (passkey.owner === owner || this.has('passkey-ends'));
    const at = this.passkeys.findIndex(isEnded);
    if (at !== -1) this.passkeys.splice(at, 1);
    return at !== -1;
  }

  /** Returns the expected values for a response and uses up its challenge. */
  private expected({ response }: Credential, purpose: string) {
    const data: Record<'challenge' | 'origin', string> & { readonly crossOrigin?: boolean } = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString(),
    );
    const issued = this.challenges.get(data.challenge);
    if (!this.has('challenges-twice')) this.challenges.delete(data.challenge);
    const isInFrame = data.crossOrigin === true && !this.has('passkey-frames');
    const isMade = issued !== undefined && !isInFrame;
    const isIssued = isMade && (issued === purpose || this.has('passkey-purposes'));
    return {
      expectedChallenge: isIssued ? data.challenge : randomBytes(32).toString('base64url'),
      expectedOrigin: this.has('passkey-origins') ? data.origin : origin,
      expectedRPID: rpId,
    };
  }
}

function handleOf(owner: number): string {
  return Buffer.from(`account ${owner}`).toString('base64url');
}
