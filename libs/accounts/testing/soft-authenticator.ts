import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** The options that a relying party passes to create or to get a credential. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id: string };
}

/** The deviations from a browser's behaviour that a test wants. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether the user is verified, such as by a PIN; default yes. */
  readonly isVerified?: boolean;
  readonly challenge?: string;
  readonly userHandle?: string;
  /** Whether the page is in a frame on a different site; default no. */
  readonly crossOrigin?: boolean;
}

interface Held {
  readonly id: string;
  readonly key: KeyObject;
  readonly userHandle: string;
  counter: number;
}

const UP = 1;
const UV = 4;
const ATTESTED = 64;

/**
 * An authenticator with a single passkey, and the browser before it.
 *
 * @see Web Authentication Level 3, §6
 */
export class SoftAuthenticator {
  private held: Held | undefined;

  /** @param counts whether the authenticator counts its signatures */
  constructor(
    private readonly origin: string,
    private readonly counts = true,
  ) {}

  /** Creates a passkey, like `navigator.credentials.create` with its `toJSON`. */
  create(options: PasskeyRequest, deviations: Deviations = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.held = {
      id: id.toString('base64url'),
      key: privateKey,
      userHandle: options.user?.id ?? '',
      counter: 0,
    };
    // COSE_Key of ES256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const data = Buffer.concat([this.data(options, deviations, ATTESTED), attested]);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59, data.length >> 8, data.length & 255]),
      data,
    ]);
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', options, deviations),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Signs a challenge, like `navigator.credentials.get` with its `toJSON`. */
  get(options: PasskeyRequest, deviations: Deviations = {}) {
    const { key, userHandle } = this.passkey;
    if (this.counts) this.passkey.counter += 1;
    const data = this.data(options, deviations);
    const clientDataJSON = this.clientData('webauthn.get', options, deviations);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    return this.credential({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256')
        .update(Buffer.concat([data, hash]))
        .sign(key, 'base64url'),
      userHandle: deviations.userHandle ?? userHandle,
    });
  }

  /** Copies the authenticator with its key and its counter. */
  clone(): SoftAuthenticator {
    const clone = new SoftAuthenticator(this.origin, this.counts);
    clone.held = { ...this.passkey };
    return clone;
  }

  private get passkey(): Held {
    if (this.held === undefined) throw new TypeError('create a passkey first');
    return this.held;
  }

  private credential<Response extends object>(response: Response) {
    const { id } = this.passkey;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, { challenge }: PasskeyRequest, deviations: Deviations): string {
    const { origin = this.origin, challenge: signed = challenge, crossOrigin = false } = deviations;
    const data = { type, challenge: signed, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private data(options: PasskeyRequest, { rpId, isVerified = true }: Deviations, flags = 0): Buffer {
    const id = rpId ?? options.rpId ?? options.rp?.id ?? '';
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.passkey.counter);
    const bits = flags | UP | (isVerified ? UV : 0);
    return Buffer.concat([createHash('sha256').update(id).digest(), Buffer.from([bits]), counter]);
  }
}
