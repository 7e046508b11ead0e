/** The passkey options for the browser's authenticators, sent by `api`. */
export type PasskeyRequest = Record<string, unknown>;

/** The response from an authenticator, as JSON. */
export type PasskeyResponse = Record<string, unknown>;

interface PublicKeyOptions {
  readonly publicKey: object;
}
interface JsonCredential {
  toJSON(): PasskeyResponse;
}

/** The browser API. It is declared here because the types of this library are also for Node. */
declare const PublicKeyCredential: {
  parseCreationOptionsFromJSON(options: PasskeyRequest): object;
  parseRequestOptionsFromJSON(options: PasskeyRequest): object;
};
declare const navigator: {
  readonly credentials: {
    create(options: PublicKeyOptions): Promise<JsonCredential | null>;
    get(options: PublicKeyOptions): Promise<JsonCredential | null>;
  };
};

/**
 * Asks the user for a new passkey.
 *
 * @throws DOMException if the user declines, or the authenticator has a passkey of this account
 */
export async function createPasskey(options: PasskeyRequest): Promise<PasskeyResponse> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return toResponse(await navigator.credentials.create({ publicKey }));
}

/**
 * Asks the user for a passkey.
 *
 * @throws DOMException if the user declines
 */
export async function getPasskey(options: PasskeyRequest): Promise<PasskeyResponse> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return toResponse(await navigator.credentials.get({ publicKey }));
}

/** Returns the credential. The browser omits it only for requests that it may answer without the user, which excludes ours. */
function toResponse(credential: JsonCredential | null): PasskeyResponse {
  if (credential === null) throw new TypeError('the browser gave no passkey');
  return credential.toJSON();
}
