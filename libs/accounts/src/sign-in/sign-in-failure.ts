/** A failed sign-in, as the audit log has it. */
export interface SignInFailure {
  /** Absent if there is no account. */
  readonly accountId?: number;
  /** `credentials` is the first factor, `factor` the next one. */
  readonly reason: 'credentials' | 'current-password' | 'disabled' | 'factor';
  /** The kind of the second factor. */
  readonly factor?: string;
}
