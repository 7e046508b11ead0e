import { z } from 'zod';

const base64url = z.string().regex(/^[\w-]+$/);
/** 1023 bytes at most. @see Web Authentication Level 3, §4 */
const credentialId = base64url.max(1364);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** The `navigator.credentials.create` result, by its `toJSON`. */
export const registrationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    // Sent by the browser, and not signed.
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(8)
      .default([]),
  }),
});

/** The `navigator.credentials.get` result, as `toJSON` returns it. */
export const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

/** The client data that an authenticator signs. Cross-origin frames are rejected, because they may have tricked the user. */
const clientDataSchema = z.object({ challenge: base64url, crossOrigin: z.literal(false).optional() });

/** Returns the challenge in `clientDataJSON`; `undefined` for malformed client data, or from a frame on a different site. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    return clientDataSchema.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return undefined;
  }
}
