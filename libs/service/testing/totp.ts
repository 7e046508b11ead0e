import { generateSync } from 'otplib/functional';
import type { Client } from './client';

/** An enrolment of an authenticator application that waits for its code. */
export interface PendingTotp {
  readonly secret: string;
  /** Of the request that confirms it. */
  readonly body: { readonly code: string };
}

/** What an authenticator application shows now. */
export function totpCode(secret: string): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) });
}

/** Begins to enrol an authenticator application for the user of a client. */
export async function beginTotp(client: Client): Promise<PendingTotp> {
  const { secret } = (await client.post('/auth/totp')).json;
  return { secret, body: { code: totpCode(secret) } };
}

/** Enrols an authenticator application; returns what must be kept secret of it. */
export async function enrolTotp(
  client: Client,
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { secret, body } = await beginTotp(client);
  const { json } = await client.post('/auth/totp/confirm', body);
  return { secret, recoveryCodes: json.recoveryCodes };
}
