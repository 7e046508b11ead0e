import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A clock that is never set back. */
export interface MonotonicClock {
  /** Distinguishes machines and boots. */
  readonly name: string;
  /** Since an arbitrary time. */
  readonly seconds: () => number;
}

/** Shared by all processes since the boot of the machine; where the boot id is unknown, by this process only. */
export const machineClock = clockOf(bootOfMachine());

/** Makes a random `jti` from which {@link ageOf} computes the token's age. */
export function makeTokenId({ name, seconds }: MonotonicClock): string {
  return `${name}.${Math.floor(seconds()).toString(36)}.${randomUUID()}`;
}

/**
 * The age of a token, independent of the system clock.
 *
 * @param jti of {@link makeTokenId}, or any other
 * @returns seconds, rounded up by less than one; `undefined` for a token of another machine
 */
export function ageOf(jti: string | undefined, { name, seconds }: MonotonicClock): number | undefined {
  const [madeBy, madeAt = '', ...rest] = jti?.split('.') ?? [];
  return madeBy === name && rest.length === 1 ? seconds() - parseInt(madeAt, 36) : undefined;
}

/** Starts at a secret offset, so that tokens do not reveal the uptime of the machine. */
function clockOf(boot: Buffer): MonotonicClock {
  const digest = createHash('sha256').update('token age').update(boot).digest();
  const [wholeSeconds] = process.hrtime();
  // `performance.now` is cheaper than `hrtime`, but starts at 0 in each process.
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
