import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A clock that nobody sets. */
export interface SteadyClock {
  /** Tells it from those of other machines. */
  readonly name: string;
  /** Since some moment. */
  readonly seconds: () => number;
}

/** The clock that all programs on this machine share since it was started; where we cannot know that, only this one. */
export const machineClock = clockOf(bootOfMachine());

/** Makes a token's name, which is random, and by which {@link ageOf} tells its age. */
export function makeTokenName({ name, seconds }: SteadyClock): string {
  return `${name}.${Math.floor(seconds()).toString(36)}.${randomUUID()}`;
}

/**
 * Says how old a token is, whatever has become of the clock that dates are read from.
 *
 * @param jti what {@link makeTokenName} gave, or anything else
 * @returns seconds, up to one too many; `undefined` for a token of another machine
 */
export function ageOf(jti: string | undefined, { name, seconds }: SteadyClock): number | undefined {
  const [madeBy, madeAt = '', ...rest] = jti?.split('.') ?? [];
  return madeBy === name && rest.length === 1 ? seconds() - parseInt(madeAt, 36) : undefined;
}

/** Counts from a secret moment: how long a machine has been up is nobody's business. */
function clockOf(boot: Buffer): SteadyClock {
  const digest = createHash('sha256').update('token age').update(boot).digest();
  const [wholeSeconds] = process.hrtime();
  // Asked for every token, and `hrtime` costs more than `performance.now`, which each process counts from its own start.
  const start = digest.readUInt32BE() + wholeSeconds - performance.now() / 1000;
  return {
    name: digest.subarray(4, 10).toString('base64url'),
    seconds: () => start + performance.now() / 1000,
  };
}

function bootOfMachine(): Buffer {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id');
  } catch {
    return randomBytes(16);
  }
}
