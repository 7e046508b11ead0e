import { randomUUID } from 'node:crypto';

/**
 * Names a sign-in: a random name, and the account's epoch in which it took place. A token thus tells whether it is
 * older than the last end of all tokens, without a clock and without a further claim.
 */
export function makeSid(epoch: number): string {
  return `${randomUUID()}.${epoch}`;
}

/** @returns the epoch of a sign-in; 0 for a name without one, which is of before there were any */
export function epochOf(sid: string | undefined): number {
  return Number(/\.(\d{1,15})$/.exec(sid ?? '')?.[1] ?? 0);
}
