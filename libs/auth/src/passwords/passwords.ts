import { argon2id, dummyHash, isArgon2id, needsRehash } from './argon2id';
import type { PasswordHasher } from './password-hasher';
import { CommonPasswordError } from '../errors';
import type { IsBreached } from './breached-passwords';
import type { IsCommon } from './common-passwords';
import { isOfContext } from './context-words';
import { type JobOrigin, type WorkLimits, WorkQueue } from './work-queue';

/** Defaults: concurrency 2, 64 waiting, deadline 2 s. */
export interface PasswordsOptions extends Partial<WorkLimits> {
  /** Default: Argon2id. */
  readonly hasher?: PasswordHasher;
  /** Which new passwords are rejected; default none. */
  readonly isCommon?: IsCommon;
  /** Which of the others are rejected as well; default none. */
  readonly isBreached?: IsBreached;
  /** Names of the product: new passwords that are hardly more than these, or than texts of the account, are rejected. Default: none are. */
  readonly productNames?: readonly string[];
}

/** Compares a password with a hash. */
export type ComparePassword = (hash: string | undefined, password: string) => Promise<boolean>;

const DEFAULT_LIMITS: WorkLimits = { concurrency: 2, maxWaiting: 64, deadlineMs: 2000 };

/**
 * Hashes and compares passwords in one form of Unicode: not trimmed or truncated; NUL is an ordinary character.
 */
export class Passwords {
  private readonly hasher: PasswordHasher;
  private readonly isCommon: IsCommon;
  private readonly isBreached: IsBreached;
  private readonly productNames?: readonly string[];
  private readonly queue: WorkQueue;
  private readonly dummyHash = dummyHash();

  constructor(options: PasswordsOptions = {}) {
    const { hasher = argon2id, isCommon = () => false, productNames, ...others } = options;
    const { isBreached = async () => false, ...limits } = others;
    this.hasher = hasher;
    this.isCommon = isCommon;
    this.isBreached = isBreached;
    this.productNames = productNames;
    this.queue = new WorkQueue({ ...DEFAULT_LIMITS, ...limits });
  }

  /**
   * @param origin for the fair queue: jobs of one origin do not delay those of others
   * @returns an Argon2id hash in PHC format, about 97 characters
   * @throws SignInOverloadError if the queue is full or the deadline passes
   * @throws TypeError if the text has an unpaired surrogate, which UTF-8 cannot encode
   */
  async hash(password: string, origin?: JobOrigin): Promise<string> {
    if (!password.isWellFormed()) throw new TypeError('A password must be well-formed Unicode.');
    return this.queue.run(() => this.hasher.hash(prepared(password)), origin);
  }

  /**
   * Hashes a password that a user chose, as {@link hash} does.
   *
   * @param context texts of the account, such as its e-mail
   * @throws CommonPasswordError if it is on the list, hardly more than its context, or in a breach, before anything is hashed
   */
  async hashNew(given: string, origin?: JobOrigin, context: readonly string[] = []): Promise<string> {
    const password = prepared(given);
    if (this.isCommon(password)) throw new CommonPasswordError('common');
    if (this.productNames && isOfContext(password, [...context, ...this.productNames]))
      throw new CommonPasswordError('context');
    // A text that UTF-8 cannot encode is rejected below.
    if (password.isWellFormed() && (await this.isBreached(password, origin?.source)))
      throw new CommonPasswordError('breached');
    return this.hash(password, origin);
  }

  /**
   * Compares a password with a hash. Takes the same time without an account, so that timing does not reveal which accounts
   * exist.
   *
   * @param hash of {@link hash}; `undefined` if there is no account. Text that is not an Argon2id hash matches nothing.
   * @throws SignInOverloadError if the queue is full or the deadline passes
   */
  matches(hash: string | undefined, password: string): Promise<boolean> {
    return this.runQueued((compare) => compare(hash, password));
  }

  /**
   * Runs a job within the limits of the queue. The work with a comparison, such as counting the attempt in the database,
   * is then bounded like the hashing itself.
   *
   * @param work is given a function that compares as {@link matches} does, without queueing; it must not queue a job itself
   * @throws SignInOverloadError before the work has begun, if the queue is full or the deadline passes
   */
  runQueued<T>(work: (compare: ComparePassword) => Promise<T>, origin?: JobOrigin): Promise<T> {
    return this.queue.run(() => work((hash, password) => this.compare(hash, password)), origin);
  }

  private async compare(hash: string | undefined, password: string): Promise<boolean> {
    const isComparable = hash !== undefined && isArgon2id(hash) && password.isWellFormed();
    for (const form of formsOf(password)) {
      const isEqual = await this.hasher.verify(isComparable ? hash : this.dummyHash, form);
      if (isComparable && isEqual) return true;
    }
    return false;
  }

  /**
   * Rejects early, before other work such as counting an attempt.
   *
   * @throws SignInOverloadError if the queue is full
   */
  checkCapacity(origin?: JobOrigin): void {
    this.queue.checkCapacity(origin);
  }

  /** Whether a hash has outdated parameters; rehash at the next sign-in, when the password is available. */
  needsRehash(hash: string): boolean {
    return needsRehash(hash);
  }
}

/**
 * A password as it is hashed: keyboards and systems send the same letter in different forms.
 *
 * @see RFC 8265 §4.2.2 (OpaqueString), whose spaces are one and whose form is NFC
 */
function prepared(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** What is compared with a hash: the form of new hashes, and one that an earlier release has hashed as it was sent. */
function formsOf(password: string): ReadonlySet<string> {
  const form = prepared(password);
  return new Set([form, form === password ? password.normalize('NFD') : password]);
}
