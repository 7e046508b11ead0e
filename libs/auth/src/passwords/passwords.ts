import { argon2id, hashOfNothing, isArgon2id, needsRehash, type PasswordHasher } from './argon2id';
import { type WorkLimits, WorkQueue } from './work-queue';

/** What may differ from the defaults: two at once, 64 waiting, two seconds of patience. */
export interface PasswordsOptions extends Partial<WorkLimits> {
  /** What hashes; Argon2id unless a test brings another. */
  readonly hasher?: PasswordHasher;
}

/** Says whether this is the password that the hash was made of. */
export type ComparePassword = (hash: string | undefined, password: string) => Promise<boolean>;

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
  matches(hash: string | undefined, password: string): Promise<boolean> {
    return this.inTurn((compare) => compare(hash, password));
  }

  /**
   * Does a piece of work in one turn of the queue. What surrounds a comparison, such as counting the attempt in a
   * store, is then bounded like the hashes: a flood that cannot hash cannot write either.
   *
   * @param work gets what compares as {@link matches} does, without another turn; it must not ask for one itself
   * @throws HashingBusyError before the work has begun, if too many are waiting
   */
  inTurn<T>(work: (compare: ComparePassword) => Promise<T>): Promise<T> {
    return this.queue.run(() => work((hash, password) => this.compare(hash, password)));
  }

  private async compare(hash: string | undefined, password: string): Promise<boolean> {
    const isComparable = hash !== undefined && isArgon2id(hash) && password.isWellFormed();
    const isEqual = await this.hasher.verify(isComparable ? hash : this.nothing, password);
    return isComparable && isEqual;
  }

  /**
   * Lets a caller who has other work to do first, such as counting an attempt, be spared it in vain.
   *
   * @throws HashingBusyError if a password that came now would be refused at once
   */
  checkRoom(): void {
    this.queue.checkRoom();
  }

  /** Whether a hash was made with other parameters than today's; renew it at the next sign-in, in which the password is at hand. */
  needsRehash(hash: string): boolean {
    return needsRehash(hash);
  }
}
