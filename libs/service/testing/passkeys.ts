import { SoftAuthenticator } from '@app/accounts/testing';
import type { Client } from './client';

/** The origin in the default `APP_URL`. */
const appOrigin = 'http://localhost:3000';

/** Returns an authenticator in a browser on the application's page. */
export function newAuthenticator(): SoftAuthenticator {
  return new SoftAuthenticator(appOrigin);
}

/** Begins to enrol a passkey for a client's user, and returns the body that confirms it. */
export async function beginPasskey(client: Client, authenticator = newAuthenticator()) {
  const { json } = await client.post('/auth/factors/passkeys');
  return { credential: authenticator.create(json.options) };
}

/** Enrols a passkey for a client's user. It returns the body that signs in by it, and the recovery codes. */
export async function enrolPasskey(client: Client) {
  const authenticator = newAuthenticator();
  const body = await beginPasskey(client, authenticator);
  const { json } = await client.post('/auth/factors/passkeys/confirm', body);
  const begun = await client.post('/auth/passkeys', {});
  return {
    body: { credential: authenticator.get(begun.json.options) },
    recoveryCodes: json.recoveryCodes as readonly string[],
  };
}
