/** OWASP's recommended parameters for Argon2id: 19 MiB, two iterations, one lane; 8–9 ms on one core. */
export const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
export const saltBytes = 16;
export const hashBytes = 32;
/** How a hash with these parameters begins. */
export const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Base64 without padding, as the PHC string format has it. */
export function toPhc(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
