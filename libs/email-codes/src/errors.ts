import { httpError } from '@app/http-errors';

/** The program sends no codes. */
export const EmailCodesOffError = httpError('EmailCodesOffError', 404, 'email-codes-off', {
  title: 'Sign-in by codes in mails is off',
  remedy: 'Set `EMAIL_CODES=5/1h`, or sign in by a password.',
  reply: 'this program sends no codes by mail',
});
