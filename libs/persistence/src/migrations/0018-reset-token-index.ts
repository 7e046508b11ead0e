import { concurrentIndex } from './concurrent-index';

/** The account of a reset token is found without reading every account. */
export const resetTokenIndex = concurrentIndex({
  name: 'account_password_reset_token',
  table: 'account',
  columns: ['password_reset_token'],
});
