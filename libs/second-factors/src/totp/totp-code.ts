import { generateSecret, generateURI, verifySync } from 'otplib/functional';

/** The tolerance for a device's clock, which is a single step in either direction. */
const TOLERANCE_SECONDS = 30;

/** Makes a secret of 160 bits, in base32. */
export function makeTotpSecret(): string {
  return generateSecret();
}

/**
 * The text of the QR code that authenticator applications scan.
 *
 * @param issuer as they name the service; without a colon, which separates it from the e-mail
 */
export function totpUri(secret: string, email: string, issuer: string): string {
  return generateURI({ secret, issuer, label: email });
}

/**
 * Returns the time step for a code. Codes have six digits, use HMAC-SHA-1, and change every 30 seconds.
 *
 * @param code six ASCII digits
 * @returns the step number, which is the current, previous or next step; `undefined` for a wrong code
 * @see RFC 6238, RFC 4226
 */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: TOLERANCE_SECONDS });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
