import { generateSync } from 'otplib/functional';
import type { Client, Reply } from './client';

/** An enrolment of an authenticator application that waits for its code. */
export interface PendingTotp {
  readonly secret: string;
  /** The body for the request that confirms it. */
  readonly body: { readonly code: string };
}

/** Returns the code that an authenticator application shows now. */
export function totpCode(secret: string): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
}

/** Begins to enrol an authenticator application for a client's user. */
export async function beginTotp(client: Client): Promise<PendingTotp> {
  const { secret } = (await client.post('/auth/factors/totp')).json;
  return { secret, body: { code: totpCode(secret) } };
}

/** Enrols an authenticator application, and returns its secrets. */
export async function enrolTotp(
  client: Client,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { secret, body } = await beginTotp(client);
  const { json } = await client.post('/auth/factors/totp/confirm', body);
  return { secret, recoveryCodes: json.recoveryCodes };
}

/**
 * Opens a session for an account that has enrolled an authenticator application, and returns the response to the second factor.
 */
export async function signInWithFactor(
  client: Client,
  credentials: { readonly username: string; readonly password: string },
  code: string,
  factor = /^[0-9 ]{6,7}$/.test(code) ? 'totp' : 'recovery-code',
): Promise<Reply> {
  const { json } = await client.post('/auth/sessions', credentials);
  return client.post('/auth/sessions/complete', { mfa_token: json.mfa_token, factor, code });
}
