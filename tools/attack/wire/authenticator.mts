import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The options that a service sends to authenticators for making a passkey or signing with it. */
export interface PasskeyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id?: string };
}

/** The deviations from the data that a browser sends. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  /** Whether the page is embedded in a frame on a different site. */
  readonly crossOrigin?: boolean;
  readonly challenge?: string;
  /** The passkey id. */
  readonly id?: string;
  readonly userHandle?: string;
  /** The number of signatures so far; 0 if the authenticator does not count. */
  readonly counter?: number;
  readonly isPresent?: boolean;
  readonly isVerified?: boolean;
}

/** A credential, by its `toJSON`. */
export interface Credential {
  readonly id: string;
  readonly response: object;
}

interface Passkey {
  readonly id: string;
  readonly key: KeyObject;
  readonly userHandle: string;
}

const [present, verified, attested] = [1, 4, 64];

/** An authenticator with a single passkey, and the browser in front of it. @see Web Authentication Level 3, §6 */
export class Authenticator {
  /** The page origin. */
  readonly origin: string;
  private passkey: Passkey | undefined;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The id of its passkey. */
  get id(): string {
    return this.made.id;
  }

  /** The account identifier that the service assigned. */
  get userHandle(): string {
    return this.made.userHandle;
  }

  /** Makes a passkey. */
  create(options: PasskeyOptions, deviations: Deviations = {}): Credential {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { id = randomBytes(32).toString('base64url') } = deviations;
    this.passkey = { id, key: privateKey, userHandle: options.user?.id ?? '' };
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const bytes = Buffer.from(id, 'base64url');
    const data = Buffer.concat([
      authenticatorData(options, deviations, attested),
      Buffer.alloc(16),
      Buffer.from([bytes.length >> 8, bytes.length & 255]),
      bytes,
      // COSE_Key of ES256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data,
    ]);
    return credentialOf(id, {
      clientDataJSON: this.clientData('webauthn.create', options, deviations).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  /** Signs a challenge. */
  get(options: PasskeyOptions, deviations: Deviations = {}): Credential {
    const { id, key, userHandle } = this.made;
    const data = authenticatorData(options, deviations);
    const clientData = this.clientData('webauthn.get', options, deviations);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return credentialOf(deviations.id ?? id, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
      userHandle: deviations.userHandle ?? userHandle,
    });
  }

  private get made(): Passkey {
    if (this.passkey === undefined) throw new TypeError('create a passkey first');
    return this.passkey;
  }

  private clientData(type: string, { challenge }: PasskeyOptions, deviations: Deviations): Buffer {
    const { origin } = this;
    return Buffer.from(
      JSON.stringify({
        type: deviations.type ?? type,
        challenge: deviations.challenge ?? challenge,
        origin: deviations.origin ?? origin,
        crossOrigin: deviations.crossOrigin ?? false,
      }),
    );
  }
}

function credentialOf(id: string, response: object): Credential {
  return Object.assign({ id, response }, { rawId: id, type: 'public-key', clientExtensionResults: {} });
}

function authenticatorData(options: PasskeyOptions, deviations: Deviations, flags = 0): Buffer {
  const { rpId = rpIdOf(options), counter = 0, isPresent = true, isVerified = true } = deviations;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const bits = flags | (isPresent ? present : 0) | (isVerified ? verified : 0);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([bits]), count]);
}

/** The host that passkeys of a service belong to. */
export function rpIdOf({ rpId, rp }: PasskeyOptions): string {
  return rpId ?? rp?.id ?? '';
}
