import { argon2id, dummyHash, isArgon2id, needsRehash } from './argon2id';
import type { PasswordHasher } from './password-hasher';
import { CommonPasswordError } from '../errors';
import type { IsBreached } from './breached-passwords';
import type { IsCommon } from './common-passwords';
import { isOfContext } from './context-words';
import { type JobOrigin, type WorkLimits, WorkQueue } from './work-queue';

/** Options of {@link Passwords}. Defaults: concurrency 2, 64 waiting, deadline 2 s. */
export interface PasswordsOptions extends Partial<WorkLimits> {
  /** The hash function; default Argon2id. */
  readonly hasher?: PasswordHasher;
  /** Rejects common new passwords. By default, no password counts as common. */
  readonly isCommon?: IsCommon;
  /** Rejects breached new passwords. By default, no password counts as breached. */
  readonly isBreached?: IsBreached;
  /** The product names. New passwords that are little more than these names or account texts are rejected; default off. */
  readonly productNames?: readonly string[];
}

/** Compares a password with a hash. */
export type ComparePassword = (hash: string | undefined, password: string) => Promise<boolean>;

const DEFAULT_LIMITS: WorkLimits = { concurrency: 2, maxWaiting: 64, deadlineMs: 2000 };

/** Hashes and compares passwords in a single Unicode form, without trimming or truncation. NUL is an ordinary character. */
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
   * Hashes a password.
   *
   * @param origin for the fair queue, so that the jobs of an origin only delay each other
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
  async hashNew(rawPassword: string, origin?: JobOrigin, context: readonly string[] = []): Promise<string> {
    const password = prepared(rawPassword);
    if (this.isCommon(password)) throw new CommonPasswordError('common');
    if (this.productNames && isOfContext(password, [...context, ...this.productNames]))
      throw new CommonPasswordError('context');
    // A text that UTF-8 cannot encode is rejected below.
    if (password.isWellFormed() && (await this.isBreached(password, origin?.source)))
      throw new CommonPasswordError('breached');
    return this.hash(password, origin);
  }

  /**
   * Compares a password with a hash. It takes the same time if the account does not exist, so that timing hides which accounts
   * exist.
   *
   * @param hash the {@link hash} result, or `undefined` for an unknown account; text in a different format fails
   * @throws SignInOverloadError if the queue is full or the deadline passes
   */
  matches(hash: string | undefined, password: string): Promise<boolean> {
    return this.runQueued((compare) => compare(hash, password));
  }

  /**
   * Runs a job within the queue's limits. Use it for work around a comparison, such as counting the attempt in the database, so
   * that it is bounded like the hashing itself.
   *
   * @param work receives a function that compares as {@link matches} does, outside the queue; it must not queue a job itself
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

  /** Returns whether a hash has outdated parameters. Rehash at the next sign-in, when the password is available. */
  needsRehash(hash: string): boolean {
    return needsRehash(hash);
  }
}

/**
 * Returns a password in the form that is hashed, because keyboards and systems send the same letter in different forms.
 *
 * @see RFC 8265 §4.2.2 (OpaqueString), which maps all spaces to a single space and uses NFC
 */
function prepared(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Returns the forms to compare with a hash: the form for new hashes, and the raw text that an earlier release hashed. */
function formsOf(password: string): ReadonlySet<string> {
  const form = prepared(password);
  return new Set([form, form === password ? password.normalize('NFD') : password]);
}
