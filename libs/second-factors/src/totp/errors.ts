import { httpError } from '@app/http-errors';

/** The code is wrong or too old to confirm the enrolment. */
export const InvalidTotpCodeError = httpError('InvalidTotpCodeError', 400, 'invalid-totp-code', {
  title: 'The code is wrong or too old',
  remedy: 'Check the clock of the device, and send the code that its authenticator application shows now.',
  reply: 'this code is wrong or too old: send the one that is shown now',
});

/** The account has an authenticator application already. */
export const TotpEnrolledError = httpError('TotpEnrolledError', 409, 'totp-enrolled', {
  title: 'The account has an authenticator application',
  remedy: 'End it first (`DELETE /auth/factors/totp`).',
  reply: 'this account has an authenticator application: end it first',
});

/** The account has no enrolment to confirm. */
export const TotpNotEnrolledError = httpError('TotpNotEnrolledError', 409, 'totp-not-enrolled', {
  title: 'The account has no enrolment to confirm',
  remedy: 'Begin an enrolment (`POST /auth/factors/totp`), and confirm it within an hour.',
  reply: 'this account has no enrolment to confirm, or it has expired: begin one',
});
