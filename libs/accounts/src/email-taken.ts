import { mapUniqueViolation } from '@app/persistence';
import { EmailTakenError } from './errors';

/** Rejects with an {@link EmailTakenError} if another account has the e-mail that a write sets. */
export function mapEmailTaken<T>(write: Promise<T>): Promise<T> {
  return mapUniqueViolation(
    'account_email_key_unique',
    write,
    (cause) => new EmailTakenError('another account has this e-mail', { cause }),
  );
}
