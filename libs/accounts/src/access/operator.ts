import type { ActingCaller } from './sign-in-check';

/** Who acts and from which address, for the audit log. */
export interface Operator {
  readonly actorId?: number;
  readonly ip?: string;
  /** The sign-in by which it acts: what creates or removes an account, or changes its role, checks that it was not revoked meanwhile. */
  readonly caller?: ActingCaller;
}
