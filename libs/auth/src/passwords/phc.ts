import { cost } from './argon2id-cost';

export const saltBytes = 16;
export const hashBytes = 32;
/** The beginning of a hash with these parameters. */
export const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;

/** Encodes bytes in base64 without padding, as the PHC string format requires. */
export function toPhc(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
