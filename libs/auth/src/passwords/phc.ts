import { cost } from './argon2id-cost';

export const saltBytes = 16;
export const hashBytes = 32;
/** How a hash with these parameters begins. */
export const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Base64 without padding, as the PHC string format has it. */
export function toPhc(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
