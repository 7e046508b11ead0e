import { httpError } from '@app/http-errors';

/** The account has no second factor in place of which a recovery code could be accepted. */
export const NoSecondFactorError = httpError('NoSecondFactorError', 409, 'no-second-factor', {
  title: 'The account has no second factor',
  remedy: 'Add one first, such as an authenticator application (`POST /auth/factors/totp`).',
  reply: 'this account has no second factor: add one first',
});
