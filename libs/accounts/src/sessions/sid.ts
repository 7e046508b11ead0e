import { randomUUID } from 'node:crypto';

/**
 * Names a sign-in: a random name, and the account's token generation in which it took place. A token thus tells whether it is
 * older than the last end of all tokens, without a clock and without a further claim.
 */
export function makeSid(tokenGeneration: number): string {
  return `${randomUUID()}.${tokenGeneration}`;
}

/** @returns the token generation of a sign-in; 0 for a name without one, which is of before there were any */
export function tokenGenerationOf(sid: string | undefined): number {
  return Number(/\.(\d{1,15})$/.exec(sid ?? '')?.[1] ?? 0);
}
