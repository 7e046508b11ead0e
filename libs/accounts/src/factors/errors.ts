import { httpError } from '@app/http-errors';

/** The account has no factor with this id. */
export const FactorNotFoundError = httpError('FactorNotFoundError', 404, 'factor-not-found', {
  title: 'The account has no such factor',
  remedy: 'List the factors (`GET /auth/factors`): it may have ended already.',
  reply: 'there is no such factor',
});

/** The factor is the account's only way to sign in. */
export const LastFactorError = httpError('LastFactorError', 409, 'last-factor', {
  title: 'The account needs this factor to sign in',
  remedy: 'Add another way to sign in first. Change a password instead of ending it.',
  reply: 'this is the last way to sign in: add another one first',
});

/** Accounts have enrolled a factor that no plugin of the program declares. Aborts the start. */
export class UnlistedFactorError extends Error {
  override readonly name = 'UnlistedFactorError';

  constructor(kind: string) {
    super(
      `accounts have enrolled the factor ${kind}, which no plugin of this program declares, so sign-ins here would not require it: list its plugin, or delete its row of the table factor_in_use once no program has the plugin`,
    );
  }
}
