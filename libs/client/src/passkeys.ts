/** What the browser needs to ask its authenticators; `api` sends it. */
export type PasskeyRequest = Record<string, unknown>;

/** What an authenticator made, as JSON. */
export type PasskeyResponse = Record<string, unknown>;

interface PublicKeyOptions {
  readonly publicKey: object;
}
interface JsonCredential {
  toJSON(): PasskeyResponse;
}

/** In browsers; the types of this library are those of Node too. */
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
  return given(await navigator.credentials.create({ publicKey }));
}

/**
 * Asks the user for one of the passkeys.
 *
 * @throws DOMException if the user declines
 */
export async function getPasskey(options: PasskeyRequest): Promise<PasskeyResponse> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return given(await navigator.credentials.get({ publicKey }));
}

/** The browser has none only for requests that may be answered without the user, which these are not. */
function given(credential: JsonCredential | null): PasskeyResponse {
  if (credential === null) throw new TypeError('the browser gave no passkey');
  return credential.toJSON();
}
