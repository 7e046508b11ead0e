import { mapUniqueViolation } from '@app/persistence';
import { type EmailMember, EmailConflictError } from '../errors';

/**
 * Rejects with an {@link EmailConflictError} if a different account has the e-mail that a write sets.
 *
 * @param member the body member that has the e-mail
 */
export function mapEmailConflict<T>(write: Promise<T>, member: EmailMember = 'email'): Promise<T> {
  return mapUniqueViolation(
    'account_email_key_unique',
    write,
    (cause) => new EmailConflictError('another account has this e-mail', { member, cause }),
  );
}
