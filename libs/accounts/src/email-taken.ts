import { mapUniqueViolation } from '@app/persistence';
import { type EmailMember, EmailTakenError } from './errors';

/**
 * Rejects with an {@link EmailTakenError} if another account has the e-mail that a write sets.
 *
 * @param member of the body that says which e-mail
 */
export function mapEmailTaken<T>(write: Promise<T>, member: EmailMember = 'email'): Promise<T> {
  return mapUniqueViolation(
    'account_email_key_unique',
    write,
    (cause) => new EmailTakenError('another account has this e-mail', { member, cause }),
  );
}
