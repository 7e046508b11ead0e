import { argon2id, hashOfNothing, isArgon2id, needsRehash, type PasswordHasher } from './argon2id';
import { type WorkLimits, WorkQueue } from './work-queue';

/** What may differ from the defaults: two at once, 64 waiting, two seconds of patience. */
export interface PasswordsOptions extends Partial<WorkLimits> {
  /** What hashes; Argon2id unless a test brings another. */
  readonly hasher?: PasswordHasher;
}

const DEFAULT_LIMITS: WorkLimits = { concurrency: 2, maxWaiting: 64, deadlineMs: 2000 };

/**
 * Hashes passwords and compares them exactly as they were sent: not trimmed, not normalised, not cut, and a NUL
 * is a character like any other.
 */
export class Passwords {
  private readonly hasher: PasswordHasher;
  private readonly queue: WorkQueue;
  private readonly nothing = hashOfNothing();

  constructor({ hasher = argon2id, ...limits }: PasswordsOptions = {}) {
    this.hasher = hasher;
    this.queue = new WorkQueue({ ...DEFAULT_LIMITS, ...limits });
  }

  /**
   * @returns an Argon2id hash in PHC form, some 97 characters
   * @throws HashingBusyError if too many are waiting
   * @throws TypeError if the text holds half a surrogate pair: UTF-8 cannot tell such halves apart
   */
  async hash(password: string): Promise<string> {
    if (!password.isWellFormed()) throw new TypeError('A password is well-formed Unicode.');
    return this.queue.run(() => this.hasher.hash(password));
  }

  /**
   * Says whether this is the password. Takes the same time when there is no account, so that nobody learns from
   * the clock which accounts there are.
   *
   * @param hash what {@link hash} gave; `undefined` where there is no account. Text that is no Argon2id hash
   *             (an account that signs in by other means) matches nothing.
   * @throws HashingBusyError if too many are waiting
   */
  async matches(hash: string | undefined, password: string): Promise<boolean> {
    const isComparable = hash !== undefined && isArgon2id(hash) && password.isWellFormed();
    const encoded = isComparable ? hash : this.nothing;
    const isEqual = await this.queue.run(() => this.hasher.verify(encoded, password));
    return isComparable && isEqual;
  }

  /**
   * Lets a caller who has other work to do first, such as counting an attempt, be spared it in vain.
   *
   * @throws HashingBusyError if a password that came now would be refused at once
   */
  refuseWhenFull(): void {
    this.queue.refuseWhenFull();
  }

  /** Whether a hash was made with other parameters than today's; renew it at the next sign-in, in which the password is at hand. */
  needsRehash(hash: string): boolean {
    return needsRehash(hash);
  }
}
