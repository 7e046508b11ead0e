import { httpError } from '@app/http-errors';

/** The account has no second factor that recovery codes could replace. */
export const NoSecondFactorError = httpError('NoSecondFactorError', 409, 'no-second-factor', {
  title: 'The account has no second factor',
  remedy: 'Add a factor first, such as an authenticator application (`POST /auth/factors/totp`).',
  reply: 'this account has no second factor: add one first',
});
