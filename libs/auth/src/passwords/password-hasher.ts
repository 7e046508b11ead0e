/** A password hash function. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Rejects if `encoded` is malformed. */
  verify(encoded: string, password: string): Promise<boolean>;
}
